import { Component, type ReactNode, startTransition } from "react";

type ErrorBoundaryProps = {
  readonly children: ReactNode;
  /** What stands in the place of children that threw; `retry` renders them anew. */
  readonly renderFallback: (error: unknown, retry: () => void) => ReactNode;
  /** Children with another one are rendered anew. */
  readonly resetKey?: unknown;
};

type ErrorBoundaryState = { readonly failure: { readonly error: unknown } | null };

/** Keeps an error of what it contains, such as code that can't be loaded, from taking the page around with it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failure: null };

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { failure: { error } };
  }

  override componentDidUpdate({ resetKey }: ErrorBoundaryProps): void {
    if (this.state.failure !== null && resetKey !== this.props.resetKey) this.retry();
  }

  /** By a transition: what failed stays until the code has come. */
  private readonly retry = (): void => startTransition(() => this.setState({ failure: null }));

  override render(): ReactNode {
    const { failure } = this.state;
    return failure === null ? this.props.children : this.props.renderFallback(failure.error, this.retry);
  }
}
