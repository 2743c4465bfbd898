# printf %s 493817 | python3 encrypt.py public.pem
import base64
import sys

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding


def encrypt(secret: bytes, public_key: bytes) -> str:
    key = serialization.load_pem_public_key(public_key)
    oaep = padding.OAEP(mgf=padding.MGF1(hashes.SHA256()), algorithm=hashes.SHA256(), label=None)
    return base64.b64encode(key.encrypt(secret, oaep)).decode()


with open(sys.argv[1], "rb") as pem:
    print(encrypt(sys.stdin.buffer.read(), pem.read()))
