"""What blocks of integrations show, as it is kept: by whoever draws them, for whoever shows them."""

from __future__ import annotations

import msgspec

from octavo.kernel.records import Json


class Drawing(msgspec.Struct, frozen=True, array_like=True):
    """The output of a component; None where its script drew nothing."""

    output: Json | None
    until: int
    """Milliseconds since 1970; afterwards it is drawn anew."""


encode = msgspec.msgpack.Encoder().encode
decode: msgspec.msgpack.Decoder[Drawing] = msgspec.msgpack.Decoder(Drawing)
