import type { MouseEvent, ReactNode, Ref } from "react";
import { Link } from "wouter";
import "./button.css";
import { classNames } from "./class-names.ts";
import { Spinner } from "./spinner.tsx";

export type ButtonProps = {
  readonly children: ReactNode;
  readonly variant?: "filled" | "soft" | "outline" | "plain" | "danger";
  readonly size?: "l" | "m";
  readonly stretched?: boolean;
  /** While it is set: a spinner with these words, the width kept, presses blocked, the focus kept. */
  readonly busyLabel?: string | null;
  /** What Telegram's own button says in its place, where that is more. */
  readonly nativeLabel?: string;
  /** The reason must stand on the screen. */
  readonly disabled?: boolean;
  readonly icon?: ReactNode;
  /** A path of the app (without language prefix) or a whole address. */
  readonly href?: string;
  readonly type?: "button" | "submit";
  /** The id of the form that it submits, where it stands outside of it. */
  readonly form?: string;
  readonly onClick?: (event: MouseEvent<HTMLElement>) => void;
  readonly id?: string;
  readonly className?: string;
  readonly describedBy?: string;
  readonly ref?: Ref<HTMLButtonElement>;
};

export function Button(props: ButtonProps) {
  const { variant = "filled", size = variant === "filled" ? "l" : "m", stretched, busyLabel, href, disabled } = props;
  const className = classNames(
    "w-button",
    `w-button--${variant}`,
    `w-button--${size}`,
    stretched && "w-button--stretched",
    busyLabel && "w-button--busy",
    props.className,
  );
  const label = (
    <span className="w-button__label">
      {props.icon}
      <span>{props.children}</span>
    </span>
  );
  if (href !== undefined && !disabled)
    return <LinkButton href={href} className={className} label={label} onClick={props.onClick} />;
  return (
    <button
      ref={props.ref}
      id={props.id}
      type={props.type ?? "button"}
      form={props.form}
      className={className}
      disabled={disabled}
      aria-disabled={busyLabel ? true : undefined}
      aria-label={busyLabel ?? undefined}
      data-native-label={props.nativeLabel}
      aria-describedby={props.describedBy}
      onClick={busyLabel ? (event) => event.preventDefault() : props.onClick}
    >
      {label}
      {busyLabel ? (
        <span className="w-button__busy">
          <Spinner label={busyLabel} isLabelShown />
        </span>
      ) : null}
    </button>
  );
}

type LinkButtonProps = Pick<ButtonProps, "onClick"> & { href: string; className: string; label: ReactNode };

function LinkButton({ href, className, label, onClick }: LinkButtonProps) {
  if (href.startsWith("/")) {
    return (
      <Link href={href} className={className} onClick={onClick}>
        {label}
      </Link>
    );
  }
  return (
    <a href={href} className={className} onClick={onClick} rel="noopener">
      {label}
    </a>
  );
}
