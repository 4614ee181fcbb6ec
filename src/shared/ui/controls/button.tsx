import { Button as TelegramButton } from "@telegram-apps/telegram-ui";
import type { ComponentProps, MouseEvent, ReactNode, Ref } from "react";
import { Link } from "wouter";
import "./button.css";
import { classNames } from "../class-names.ts";
import { Spinner } from "../feedback/spinner.tsx";

type Variant = "filled" | "soft" | "outline" | "plain" | "danger";

export type ButtonProps = {
  readonly children: ReactNode;
  readonly variant?: Variant;
  readonly size?: "l" | "m";
  readonly stretched?: boolean;
  /** While it is set: a spinner with this text, the width kept, presses blocked, the focus kept. */
  readonly busyLabel?: string | null;
  /** The reason must be visible on the screen. */
  readonly disabled?: boolean;
  readonly icon?: ReactNode;
  /** A path of the app (without language prefix) or a full URL. */
  readonly href?: string;
  /** A full URL opens beside this page. */
  readonly isNewTab?: boolean;
  readonly type?: "button" | "submit";
  /** The id of the form that it submits, where it is outside of it. */
  readonly form?: string;
  readonly onClick?: (event: MouseEvent<HTMLElement>) => void;
  readonly id?: string;
  readonly className?: string;
  readonly describedBy?: string;
  readonly ref?: Ref<HTMLButtonElement>;
};

const MODES = {
  filled: "filled",
  soft: "bezeled",
  outline: "outline",
  plain: "plain",
  danger: "bezeled",
} as const satisfies Record<Variant, string>;

/** No ripple: its layer lies over the label. */
const WITHOUT_RIPPLE = { interactiveAnimation: "opacity" };

/** A button, or a link that looks like one where it has `href` and is not disabled. */
export function Button(props: ButtonProps) {
  const { variant = "filled", size = variant === "filled" ? "l" : "m", busyLabel, href, disabled } = props;
  const isLink = href !== undefined && !disabled;
  const attributes = isLink
    ? {
        Component: href.startsWith("/") ? InternalLink : ExternalLink,
        href,
        onClick: props.onClick,
        target: props.isNewTab ? "_blank" : undefined,
      }
    : {
        ref: props.ref,
        id: props.id,
        type: props.type ?? "button",
        form: props.form,
        disabled,
        "aria-disabled": busyLabel ? true : undefined,
        "aria-label": busyLabel ?? undefined,
        "aria-describedby": props.describedBy,
        onClick: busyLabel ? (event: MouseEvent) => event.preventDefault() : props.onClick,
      };
  return (
    <TelegramButton
      mode={MODES[variant]}
      // Its smaller sizes set the label in an <h6>.
      size="l"
      stretched={props.stretched}
      before={props.icon}
      className={classNames(
        "w-button",
        `w-button--${variant}`,
        `w-button--${size}`,
        busyLabel && "w-button--busy",
        props.className,
      )}
      {...WITHOUT_RIPPLE}
      {...attributes}
    >
      <span className="w-button__label">{props.children}</span>
      {busyLabel ? (
        <span className="w-button__busy">
          <Spinner label={busyLabel} isLabelShown />
        </span>
      ) : null}
    </TelegramButton>
  );
}

// telegram-ui gives whatever it renders a button's `type`.
const InternalLink = ({ type: _type, ...props }: ComponentProps<typeof Link>) => <Link {...props} />;

const ExternalLink = ({ type: _type, children, ...props }: ComponentProps<"a">) => (
  <a {...props} rel="noopener">
    {children}
  </a>
);
