// boardgame.io's server with a card game of four: who is asked plays a card, all see it, hands are hidden.
// It keeps its matches in memory, which is its default, or in files in a folder (its FlatFile storage).
const { FlatFile, Server, Origins } = require("boardgame.io/server");

const deck = () => Array.from({ length: 25 }, (_, card) => card);

const game = {
  name: "cards",
  minPlayers: 4,
  maxPlayers: 4,
  setup: ({ random }) => {
    const cards = random.Shuffle(deck());
    const players = {};
    for (let seat = 0; seat < 4; seat++) players[seat] = { hand: cards.splice(0, 5), gems: 0 };
    return { secret: { cards }, players, table: [], round: 0 };
  },
  playerView: ({ G, playerID }) => {
    const players = {};
    for (const [seat, player] of Object.entries(G.players)) {
      players[seat] = { gems: player.gems, hand: seat === playerID ? player.hand : player.hand.length };
    }
    return { players, table: G.table, round: G.round };
  },
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: ({ G, playerID, random }, card) => {
      const player = G.players[playerID];
      if (!player.hand.includes(card)) return "INVALID_MOVE";
      player.hand = player.hand.filter((other) => other !== card);
      G.table.push({ seat: playerID, card });
      if (G.table.length < 4) return;
      const best = G.table.reduce((a, b) => (b.card > a.card ? b : a));
      G.players[best.seat].gems += 1;
      G.secret.cards.push(...G.table.map((played) => played.card));
      G.secret.cards = random.Shuffle(G.secret.cards);
      for (const other of Object.values(G.players)) other.hand.push(G.secret.cards.pop());
      G.table = [];
      G.round += 1;
    },
  },
};

const [port, folder] = process.argv.slice(2);
const db = folder ? new FlatFile({ dir: folder }) : undefined;
Server({ games: [game], origins: [Origins.LOCALHOST], db }).run(Number(port), () => console.log("open"));
