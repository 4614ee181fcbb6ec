import { describe, expect, it } from "vitest";
import { announcementBetween, countdown } from "./countdown.ts";
import { at, ms } from "../../testing/sample-order.ts";

const rateLock = (seconds: number) => countdown(at(0), at(1200), ms(seconds));

describe("countdown", () => {
  it.each([
    [0, "20:00", "accent", false],
    [328, "14:32", "accent", false],
    [1079, "02:01", "accent", false],
    [1080, "02:00", "signal", false],
    [1092, "01:48", "signal", false],
    [1199, "00:01", "signal", false],
    [1199.999, "00:01", "signal", false],
    [1200, "00:00", "signal", true],
    [5000, "00:00", "signal", true],
  ])("after %d s shows %s in %s, ended %s", (seconds, clock, tone, isEnded) => {
    expect(rateLock(seconds)).toMatchObject({ clock, tone, isEnded });
  });

  it("is full at creation, half in the middle, empty at the end, and never more than full on a slow clock", () => {
    expect([rateLock(-30), rateLock(0), rateLock(600), rateLock(1200)].map(({ part }) => part)).toEqual([1, 1, 0.5, 0]);
  });

  it("shows hours of a long rate lock", () => expect(countdown(at(0), at(7384), ms(0)).clock).toBe("2:03:04"));
});

describe("announcements", () => {
  const minutes = (value: number) => value * 60_000;
  it.each([
    [20, 19.9, null],
    [10.01, 10, 10],
    [10, 9.99, null],
    [5.5, 4.9, 5],
    [2.1, 2, 2],
    [1.01, 0.99, 1],
    [0.01, 0, null],
    [0, 0, null],
    [9, 1.5, 2],
    [12, 0, 1],
  ])("from %d to %d minutes left: %s", (before, after, announced) => {
    expect(announcementBetween(minutes(before), minutes(after))).toBe(announced);
  });
});
