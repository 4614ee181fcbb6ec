import { useState } from "react";
import { useSearch } from "wouter";

/** The query of the page that is shown: while another one is loading, its address is already the location's. */
export function useShownSearch(isShown: boolean): string {
  const search = useSearch();
  const [kept, setKept] = useState(search);
  if (isShown && kept !== search) setKept(search);
  return isShown ? search : kept;
}
