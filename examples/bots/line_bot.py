"""A bot as a program of its own: registan arena GAME --bots "exec:python examples/bots/line_bot.py,random".

It needs nothing but Python. Every line is a JSON object; `hello` and `choose` want an answer, the others do not.
"""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "name": "line bot"}
    elif message["type"] == "choose":
        view = message["view"]
        points = [(brings or {}).get("points", 0) for brings in view["brings"]]
        best = [move for move, worth in zip(view["legal"], points) if worth == max(points)]
        answer = {"type": "play", "move": random.choice(best)}
    else:  # game, result: nothing to answer
        continue
    print(json.dumps(answer), flush=True)
