import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApiKey } from "#contract/accounts/api-keys.ts";
import { formatAge } from "../../../shared/format/format-time.ts";
import { serverNow } from "../../../shared/http/server-clock.ts";
import { notify, SHORT_TIMEOUT_MS } from "../../../shared/page/notifications.ts";
import { AccountIcon, Button, classNames, ForeignText, Icon, Switch } from "../../../shared/ui/index.ts";
import { useRequest } from "../../../shared/account/use-request.ts";
import { updateKey } from "./api.ts";

type KeyCardProps = {
  readonly apiKey: ApiKey;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  readonly reload: () => Promise<void>;
};

export function KeyCard({ apiKey, onEdit, onDelete, reload }: KeyCardProps) {
  const { t } = useTranslation("account");
  const request = useRequest();
  const { apiId, name, whiteListIp, isActive, publicKey } = apiKey;
  const turn = async (isOn: boolean) => {
    const isDone = await request.run(async () => {
      await updateKey({ apiId, name, whiteListIp, isActive: isOn });
      await reload();
    });
    if (isDone === false) notify({ type: "error", message: t("keys.main_error"), timeoutMs: SHORT_TIMEOUT_MS });
  };
  return (
    <li className="w-keys__key">
      <div className="w-keys__head">
        <span className={classNames("w-profile__tile", !isActive && "w-keys__tile--off")}>
          <Icon name="code" />
        </span>
        <div className="w-keys__text">
          <p className="w-profile__row-title">
            <ForeignText>{name}</ForeignText>
          </p>
          <p className="w-profile__row-note">
            <span className="w-mono">{`${publicKey.slice(0, 7)}…${publicKey.slice(-4)}`}</span>, <LastUse of={apiKey} />
          </p>
        </div>
        <Switch
          label={t("keys.works", { name })}
          checked={isActive}
          isBusy={request.isPending}
          onChecked={(isOn) => void turn(isOn)}
        />
      </div>
      <p className="w-keys__ips">
        <span>{t("keys.ips")}</span>
        <span className={classNames("w-keys__list", whiteListIp === "" ? "w-keys__list--any" : "w-mono")}>
          {whiteListIp === "" ? t("keys.anyAddress") : whiteListIp.replaceAll(",", ", ")}
        </span>
      </p>
      <div className="w-keys__actions">
        <Button variant="soft" stretched icon={<Icon name="pencil" size={18} />} onClick={onEdit}>
          {t("keys.editOf")} <span className="w-visually-hidden">{name}</span>
        </Button>
        <Button variant="danger" stretched icon={<AccountIcon name="trash" size={18} />} onClick={onDelete}>
          {t("keys.deleteOf")} <span className="w-visually-hidden">{name}</span>
        </Button>
      </div>
    </li>
  );
}

function LastUse({ of: { lastUsedAt } }: { readonly of: ApiKey }) {
  const { t } = useTranslation("account");
  const { t: common } = useTranslation("common");
  const [now] = useState(() => serverNow());
  if (lastUsedAt === null) return t("keys.neverUsed");
  return t("keys.used", { age: formatAge(common, Math.max(0, (now - Date.parse(lastUsedAt)) / 1000)) });
}
