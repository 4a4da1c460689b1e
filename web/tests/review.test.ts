import { describe, expect, test } from "vitest";
import { accuracy, chances, mistakes, signed, strokes, turningPoints, type Review } from "../src/lib/review";

const figure = (value: number) => ({ value, low: value - 0.01, high: value + 0.01 });
const seat = (number: number, curve: [number, number][]) => ({
  seat: number, result: 0, par: 0.5, luck: figure(0), own: figure(0), others: figure(0), adjusted: figure(0), decisions: 1,
  error_rate: null, accuracy: null, mistakes: 0, curve,
});
const judged = (line: number, cost: number, mistake = true) => ({
  line, seat: 0, moves: 2, played: { do: "a" }, best: { do: "b" }, before: [0.5], after: [0.4], cost: figure(cost), mistake, why: [],
});
const review: Review = {
  game: "well", players: 2, open_hands: false, simulations: 9,
  seats: [seat(0, [[-1, 0.5], [-1, 0.6], [3, 0.8], [4, 1]]), seat(1, [[-1, 0.4], [4, 0]])],
  decisions: [judged(1, 0.05), judged(2, 0.3), judged(3, 0.01, false)],
  chance: [
    { line: -1, what: "setup", luck: [figure(0.1), figure(-0.1)] },
    { line: 3, what: "deal", luck: [figure(0.01), figure(-0.2)] },
    { line: 4, what: "deal", luck: [figure(0.01), figure(0.0)] },
  ],
};

describe("a review", () => {
  test("chances are known after some lines and lie on a straight line in between", () => {
    const found = chances(review, 5);
    expect(found).toHaveLength(6);
    expect(found[0]).toEqual([60, 40]); // the last one of a line counts
    expect(found[2]).toEqual([72.5, 27.5]); // 70 and 24, which add up to 94
    expect(found[5]).toEqual([100, 0]);
  });

  test("the chances of all add up, and who is sure of winning stays ahead of those who hope to", () => {
    const sure: Review = { ...review, seats: [0.98, 0.6, 0.6, 0.8].map((chance, i) => seat(i, [[-1, chance]])) };
    const [first, second, third, fourth] = chances(sure, 0)[0]!;
    expect(first! + second! + third! + fourth!).toBeCloseTo(100, 0);
    expect(first).toBeGreaterThan(80);
    expect(second).toBe(third);
    expect(fourth).toBeGreaterThan(10);
  });

  test("the game turned where a chance changed most", () => {
    const points = chances(review, 5);
    expect(turningPoints(review, points)).toEqual([
      { at: 4, seat: 0, change: expect.closeTo(24.7) as number },
      { at: 5, seat: 1, change: expect.closeTo(-40) as number },
    ]);
    expect(turningPoints(review, points, 1)).toHaveLength(1);
  });

  test("the costliest mistakes come first, and what is no mistake is left out", () => {
    expect(mistakes(review).map(({ line }) => line)).toEqual([2, 1]);
  });

  test("all strokes of luck are there, those that changed most for anybody first", () => {
    const found = strokes(review);
    expect(found.slice(0, 2).map(({ line }) => line)).toEqual([3, -1]);
    expect(found).toHaveLength(review.chance.length);
    expect(found[0]!.luck).toHaveLength(review.players);
  });

  test("percent have a sign", () => {
    expect([0.124, -0.031, 0.001].map(signed)).toEqual(["+12", "−3", "0"]);
    expect([0.924, 1.013].map(accuracy)).toEqual([92, 100]);
  });
});
