"""A swap by the partner API with Python's standard library: a rate, an order for a customer, and what became of it.

WHERRY_ORIGIN, WHERRY_PUBLIC_KEY and WHERRY_SECRET_KEY name the server and an API key; DESTINATION is the customer's address.
"""

import base64, hashlib, hmac, json, os, time, urllib.parse, urllib.request, uuid

ORIGIN = os.environ["WHERRY_ORIGIN"]
PUBLIC_KEY = os.environ["WHERRY_PUBLIC_KEY"]
SECRET_KEY = os.environ["WHERRY_SECRET_KEY"]


def call(method, path, query=None, body=None, headers={}):
    target = path if query is None else path + "?" + urllib.parse.urlencode(query)
    data = b"" if body is None else json.dumps(body).encode()
    timestamp = str(int(time.time() * 1000))
    text = "\n".join([timestamp, method, target, hashlib.sha256(data).hexdigest(), PUBLIC_KEY])
    signature = base64.b64encode(hmac.new(SECRET_KEY.encode(), text.encode(), hashlib.sha256).digest()).decode()
    request = urllib.request.Request(ORIGIN + target, data=data or None, method=method, headers={
        "X-Api-Public-Key": PUBLIC_KEY,
        "X-Api-Timestamp": timestamp,
        "X-Api-Signature": signature,
        "X-Api-Signature-Version": "2",
        **({"Content-Type": "application/json"} if data else {}),
        **headers,
    })
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


pair = {"instrumentFromSlug": "eth", "instrumentToSlug": "usdt-erc20", "claimedDepositAmount": "0.5"}
rate = call("GET", "/api/v2/partner/rates", {**pair, "markupBps": "50"})
order = call("POST", "/api/v2/partner/orders", body={
    **pair,
    "rateMode": "FLOATING",
    "destinationAddress": os.environ["DESTINATION"],
    "claimedPublicRate": {
        "price": rate["price"],
        "updatedAt": rate["updatedAt"],
        "claimedAmountToReceive": rate["amountToGet"],
    },
    "markupBps": 50,
}, headers={"Idempotency-Key": str(uuid.uuid4())})
order = call("GET", "/api/v2/partner/orders/" + order["orderId"])
print(order["orderId"], order["state"], order["depositAddress"])
