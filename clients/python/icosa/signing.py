"""Signature Version 4."""

import hashlib
import hmac
from datetime import datetime, timezone
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit


class Signing(NamedTuple):
    """Credentials for SDKs that sign: `boto3.client("backup", endpoint_url=app.url, **signing.boto3)`."""

    access_key_id: str
    secret_access_key: str
    region: str
    service: str

    @property
    def boto3(self):
        return {
            "aws_access_key_id": self.access_key_id,
            "aws_secret_access_key": self.secret_access_key,
            "region_name": self.region,
        }


def signed(signing: Signing, method: str, url: str, headers: dict, body: bytes) -> dict:
    """The headers of a request with those of its signature."""
    _, host, path, query, _ = urlsplit(url)
    time = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    payload = hashlib.sha256(body).hexdigest()
    all_headers = {**headers, "Host": host, "X-Amz-Date": time, "X-Amz-Content-Sha256": payload}
    canonical = {name.lower(): " ".join(value.split()) for name, value in all_headers.items()}
    names = ";".join(sorted(canonical))
    lines = [f"{name}:{canonical[name]}" for name in sorted(canonical)]
    pairs = sorted(tuple(quote(unquote(part), "") for part in pair.partition("=")[::2]) for pair in query.split("&") if pair)
    request = [method, quote(path, "/"), "&".join(map("=".join, pairs)), *lines, "", names, payload]
    scope = f"{time[:8]}/{signing.region}/{signing.service}/aws4_request"
    key = f"AWS4{signing.secret_access_key}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    digest = hashlib.sha256("\n".join(request).encode()).hexdigest()
    signature = hmac.new(key, f"AWS4-HMAC-SHA256\n{time}\n{scope}\n{digest}".encode(), "sha256").hexdigest()
    all_headers["Authorization"] = (
        f"AWS4-HMAC-SHA256 Credential={signing.access_key_id}/{scope}, SignedHeaders={names}, Signature={signature}"
    )
    return all_headers
