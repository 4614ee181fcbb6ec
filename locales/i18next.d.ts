import account from "./en/account.json" with { type: "json" };
import api from "./en/api.json" with { type: "json" };
import bot from "./en/bot.json" with { type: "json" };
import card from "./en/card.json" with { type: "json" };
import common from "./en/common.json" with { type: "json" };
import content from "./en/content.json" with { type: "json" };
import earnings from "./en/earnings.json" with { type: "json" };
import embed from "./en/embed.json" with { type: "json" };
import exchange from "./en/exchange.json" with { type: "json" };
import feeds from "./en/feeds.json" with { type: "json" };
import home from "./en/home.json" with { type: "json" };
import info from "./en/info.json" with { type: "json" };
import install from "./en/install.json" with { type: "json" };
import mail from "./en/mail.json" with { type: "json" };
import notifications from "./en/notifications.json" with { type: "json" };
import order from "./en/order.json" with { type: "json" };
import pair from "./en/pair.json" with { type: "json" };
import pictures from "./en/pictures.json" with { type: "json" };
import prices from "./en/prices.json" with { type: "json" };
import push from "./en/push.json" with { type: "json" };
import share from "./en/share.json" with { type: "json" };
import telegram from "./en/telegram.json" with { type: "json" };
import verification from "./en/verification.json" with { type: "json" };
import webhooks from "./en/webhooks.json" with { type: "json" };
import widget from "./en/widget.json" with { type: "json" };

/** A namespace is a file of `locales/{locale}/`; the English ones give the keys their types. */
declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: {
      account: typeof account;
      api: typeof api;
      bot: typeof bot;
      card: typeof card;
      common: typeof common;
      content: typeof content;
      earnings: typeof earnings;
      embed: typeof embed;
      exchange: typeof exchange;
      feeds: typeof feeds;
      home: typeof home;
      info: typeof info;
      install: typeof install;
      mail: typeof mail;
      notifications: typeof notifications;
      order: typeof order;
      pair: typeof pair;
      pictures: typeof pictures;
      prices: typeof prices;
      push: typeof push;
      share: typeof share;
      telegram: typeof telegram;
      verification: typeof verification;
      webhooks: typeof webhooks;
      widget: typeof widget;
    };
    returnNull: false;
  }
}
