"""Sends scores from a game server. It reads one JSON object per line from standard input,
and sends up to a thousand in one request:

    LEADERBOARDS_URL=https://api.example.com SIGNING_KEY=… python3 send.py < scores.jsonl
"""

import hashlib
import hmac
import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("LEADERBOARDS_URL", "")
KEY = os.environ.get("SIGNING_KEY", "").encode()
MAX_SCORES = 1000  # in one batch
MAX_BYTES = 1_000_000  # in one batch; the limit is 1 MiB
TRIES = 8


def sign(method, path, body):
    """Makes a signature that is valid for this one request, for 300 seconds."""
    t = int(time.time())
    v2 = hmac.new(KEY, f"{t}.{method}.{path}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={t},v2={v2}"


def post(path, body, whole):
    """Sends a request until it gets a final answer.

    Each attempt has a new signature, and all attempts have the same idempotency key:
    however often the request arrives, it counts once.
    """
    key = f'"{uuid.uuid4()}"'
    for attempt in range(1, TRIES + 1):
        wait = 0.25 * 2**attempt * (0.5 + random.random() / 2)  # seconds
        request = urllib.request.Request(URL + path, body, method="POST", headers={
            "Content-Type": "application/json",
            "Framedle-Signature": sign("POST", path, body),
            "Idempotency-Key": key,
        })
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                answer, after = json.load(response), response.headers["Retry-After"]
            if whole(answer):
                return answer
            problem = f"some of {path} could not be stored"
        except urllib.error.HTTPError as error:
            problem = f"{error.code}: {error.read().decode()}"
            if error.code not in (409, 429) and error.code < 500:
                raise RuntimeError(problem) from None
            after = error.headers["Retry-After"]
        except (OSError, http.client.HTTPException, ValueError) as error:
            problem, after = str(error), None  # not reachable, or cut off: send again
        if attempt < TRIES:
            time.sleep(int(after) if after and after.isdigit() else wait)
    raise RuntimeError(f"after {TRIES} tries: {problem}")


def send_batch(scores):
    """Returns a result for each score, in order: its rank on the board, or a problem.

    A refused score does not affect the others. If some scores could not be stored,
    send_batch sends the whole batch again; scores that are stored do not change.
    """
    def stored(answer):
        return all(result.get("problem", {}).get("status", 0) < 500 for result in answer["results"])

    # Send the lines as they were read: json.dumps would write some numbers differently.
    body = b'{"scores":[' + b",".join(text for _, text in scores) + b"]}"
    return post("/v1/scores/batch", body, stored)["results"]


def batches(scores):
    """Splits pairs of line number and text into batches, one for each request."""
    batch, size = [], 0
    for line, text in scores:
        if len(batch) == MAX_SCORES or size + len(text) > MAX_BYTES:
            yield batch
            batch, size = [], 0
        batch.append((line, text))
        size += len(text) + 1
    if batch:
        yield batch


def refuse(name):
    raise ValueError(f"{name} is no JSON, though Python reads it")


def main():
    if not URL or not KEY:
        print("set LEADERBOARDS_URL, such as https://api.example.com, and SIGNING_KEY", file=sys.stderr)
        return 2
    sent = refused = 0
    failed = False

    def scores():
        nonlocal refused
        for line, text in enumerate(sys.stdin.buffer, 1):
            try:
                json.loads(text, parse_constant=refuse)
            except ValueError:
                refused += 1
                print(f"line {line}: not JSON")
                continue
            yield line, text.strip()

    try:
        for batch in batches(scores()):
            for (line, _), result in zip(batch, send_batch(batch)):
                if problem := result.get("problem"):
                    refused += 1
                    print(f"line {line}: {problem['status']} {problem['detail']}")
            sent += len(batch)
    except RuntimeError as error:
        print(error, file=sys.stderr)
        failed = True
    print(f"{sent} sent, {refused} refused")
    return 1 if failed or refused else 0


if __name__ == "__main__":
    sys.exit(main())
