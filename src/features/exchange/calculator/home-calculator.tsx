import { usePageData } from "../../../shared/page/page-context.ts";
import { Calculator } from "./calculator.tsx";
import type { CalculatorData } from "../load.ts";
import { ExchangeProvider } from "../store/provider.tsx";

/** The calculator of the home page, whose data holds it under `calculator`. */
export function HomeCalculator() {
  const { catalogue, opening } = usePageData<{ calculator: CalculatorData }>().calculator;
  return (
    <ExchangeProvider catalogue={catalogue} opening={opening}>
      <Calculator place="home" />
    </ExchangeProvider>
  );
}
