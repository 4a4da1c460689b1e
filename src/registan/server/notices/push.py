"""Web push: messages encrypted for one browser (RFC 8291), from a sender that identifies itself (RFC 8292)."""

from __future__ import annotations

import base64
import json
import os
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from registan.core.errors import BadInput

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey, EllipticCurvePublicKey

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256; private keys are numbers below it, from 1."""
VALID_SECONDS = 12 * 3600
KEEP_SECONDS = 3 * 86_400
"""How long a push service keeps a message that it cannot deliver."""
RECORD = 4096


class Keys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a browser's subscription, as base64url."""

    p256dh: str
    auth: str


class Subscription(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How to reach a browser: what `PushSubscription.toJSON()` returns."""

    endpoint: str
    keys: Keys
    expires: float | None = msgspec.field(default=None, name="expirationTime")


def bare(data: bytes) -> str:
    """Return base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unbare(text: str) -> bytes:
    """Decode base64url with or without padding; raise BadInput for anything else."""
    try:
        return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), b"-_", validate=True)
    except (ValueError, UnicodeError):
        raise BadInput("error.house.subscription") from None


def _browser_key(subscription: Subscription) -> tuple[EllipticCurvePublicKey, bytes]:
    """Return the keys of a subscription; raise BadInput if they are invalid."""
    from cryptography.hazmat.primitives.asymmetric import ec

    auth = unbare(subscription.keys.auth)
    try:
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unbare(subscription.keys.p256dh))
    except ValueError:
        raise BadInput("error.house.subscription") from None
    if len(auth) != 16:
        raise BadInput("error.house.subscription")
    return key, auth


def checked(subscription: Subscription) -> Subscription:
    """Return a subscription; raise BadInput if it is invalid."""
    _browser_key(subscription)
    return subscription


def _point(key: EllipticCurvePublicKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), length, salt, info).derive(secret)


def encrypted(subscription: Subscription, message: bytes) -> bytes:
    """Encrypt a message for a subscription, as one aes128gcm record."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    browser, auth = _browser_key(subscription)
    ours = ec.generate_private_key(ec.SECP256R1())
    sender, receiver = _point(ours.public_key()), _point(browser)
    shared = _derived(ours.exchange(ec.ECDH(), browser), auth, b"WebPush: info\0" + receiver + sender, 32)
    salt = os.urandom(16)
    key = _derived(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(shared, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(sender)]) + sender
    return head + AESGCM(key).encrypt(nonce, message + b"\x02", None)


class Vapid:
    """How the house identifies itself to push services. The key derives from the key of the house."""

    def __init__(self, secret: bytes, contact: str) -> None:
        self._number = int.from_bytes(secret, "big") % (ORDER - 1) + 1
        # Push services require a contact: the public address of the house if it has one.
        self._contact = contact if contact.startswith("https://") else "mailto:registan@localhost"

    def _key(self) -> EllipticCurvePrivateKey:
        from cryptography.hazmat.primitives.asymmetric import ec

        return ec.derive_private_key(self._number, ec.SECP256R1())

    @property
    def public(self) -> str:
        """The public key, as browsers need it to subscribe."""
        return bare(_point(self._key().public_key()))

    def headers(self, endpoint: str, topic: str, now: float) -> dict[str, str]:
        """Return the headers of a push: the sender, and a topic whose older messages it replaces."""
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
        from cryptography.hazmat.primitives.hashes import SHA256

        url = urlsplit(endpoint)
        claims: dict[str, Any] = {
            "aud": f"{url.scheme}://{url.netloc}",
            "exp": int(now) + VALID_SECONDS,
            "sub": self._contact,
        }
        parts = [bare(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims)]
        r, s = decode_dss_signature(self._key().sign(".".join(parts).encode(), ec.ECDSA(SHA256())))
        token = ".".join([*parts, bare(r.to_bytes(32, "big") + s.to_bytes(32, "big"))])
        return {
            "Authorization": f"vapid t={token}, k={self.public}",
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(KEEP_SECONDS),
            "Topic": topic,
        }
