"""A bot at a table of a house: python house_bot.py http://localhost:8137 TABLE [NAME].

It takes an open seat, waits for the host to start, and plays. It needs the package `websockets`, and nothing of ours.
"""

import hashlib
import json
import random
import secrets
import sys
import time
from typing import Any
from urllib.request import Request, urlopen

from websockets.sync.client import connect


def call(url: str, cookie: str = "", **data: object) -> Any:
    """Ask the house over HTTP; return the answer and the cookie, which is who the bot is."""
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    with urlopen(Request(url, json.dumps(data).encode() if data else None, headers)) as answer:
        return json.load(answer), answer.headers.get("Set-Cookie", "").partition(";")[0]


def play(house: str, table: str, name: str = "Example") -> Any:
    """Play one game and return the winners."""
    _, cookie = call(f"{house}/api/me", name=name, program=True)
    here = f"{house}/api/tables/{table}"
    call(here, cookie, do="sit")
    seat = call(f"{here}/seats", cookie)[0]["seats"][0]
    own = secrets.token_bytes(32)  # the bot's part in the shuffling of the cards
    call(here, cookie, do="contribute", seat=seat, commitment=hashlib.sha256(own).hexdigest())
    address = here.replace("http", "ws", 1) + "/live"
    with connect(address, additional_headers={"Cookie": cookie}, proxy=None, max_size=None) as socket:
        socket.send(json.dumps({"do": "watch", "seat": seat, "whole": True}))
        move = ""
        for message in map(json.loads, socket):
            if message["type"] == "refused" and message["error"] == "error.house.too_fast":
                time.sleep(1)
                socket.send(move)  # with the same key: it is carried out once
            if message["type"] != "view":
                continue  # hello, done, chat …
            view = message["view"]
            if view["status"] in ("over", "abandoned"):
                return view["winners"]
            if view["status"] == "dealing" and seat in view["awaited"]:
                socket.send(json.dumps({"do": "reveal", "seat": seat, "contribution": own.hex()}))
            elif view["status"] == "running" and view["view"]["legal"]:
                best = random.choice(view["view"]["legal"])  # think here
                move = json.dumps({"do": "play", "seat": seat, "move": best, "key": str(view["seq"])})
                socket.send(move)
    return None  # the house has closed the connection


if __name__ == "__main__":
    print("winners:", play(*sys.argv[1:]))
