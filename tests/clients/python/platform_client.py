"""What the programs in this folder share: the platform's address, and a credential with its key."""

import os
import time
from collections import namedtuple

BASE = os.environ["ICOSA_URL"]
KEY = os.environ["ICOSA_KEY"]
KEY_ID_SIGNING = "AKIDEVELOPMENTMODE00"

AccessToken = namedtuple("AccessToken", "token expires_on")


class KeyCredential:
    """The platform takes a key wherever it takes a token."""

    def get_token(self, *scopes, **options):
        return AccessToken(KEY, int(time.time()) + 3600)
