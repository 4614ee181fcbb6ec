import { Avatar as TelegramAvatar } from "@telegram-apps/telegram-ui";
import "./avatar.css";

/** In `rem`, as its letters. */
const SIZE = { width: "3.5rem", minWidth: "3.5rem", height: "3.5rem" };

/** Somebody's initials, beside the name that they stand for. */
export const Avatar = ({ initials }: { readonly initials: string }) => (
  <TelegramAvatar
    className="w-avatar"
    style={SIZE}
    aria-hidden="true"
    // Its acronym is an <h1> at this size.
    fallbackIcon={<span>{initials}</span>}
  />
);
