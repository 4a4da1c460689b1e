/** What a camel brought flies to the player who moved it. */
import { drawn, fly, inTheSky, middleOf, purseOf, says } from "../../lib/flight";
import type { Gain } from "./steps";

/** After the camel has arrived. */
const AFTER = 650;

export function bringHome(gains: Gain[]): void {
  inTheSky((sky) =>
    gains.flatMap(({ seat, place, kind, text, colour }, i) => {
      const from = document.querySelector(`[data-place="${place ? place.join("/") : `${seat}/counter`}"]`);
      if (!from) return [];
      const [to, late] = [purseOf(seat), AFTER + i * 250];
      const said = text.startsWith("+") ? text : "+1";
      return [fly(drawn(sky, `kv-${kind}`, 38, `kv-${colour ?? "plain"}`), middleOf(from), to, late), says(sky, said, to, late + 700)];
    }),
  );
}
