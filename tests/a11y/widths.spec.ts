import { testEveryScreen } from "./every-screen.ts";
import { layoutDefectsAt } from "./layout.ts";

const WIDTHS = [320, 360, 375, 390, 560, 768, 1024, 1280, 1440, 1920];

testEveryScreen("no screen scrolls sideways or cuts its text off, from 320 to 1920 px", (page) =>
  layoutDefectsAt(page, WIDTHS),
);
