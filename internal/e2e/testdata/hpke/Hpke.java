import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import org.bouncycastle.crypto.agreement.X25519Agreement;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.macs.HMac;
import org.bouncycastle.crypto.modes.GCMBlockCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.HKDFParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.X25519PrivateKeyParameters;
import org.bouncycastle.crypto.params.X25519PublicKeyParameters;

/**
 * Encrypts standard input for a key pair of HPKE-X25519 and prints base64. For
 * versions of BouncyCastle before 1.73, which have no HPKE of their own: see
 * BouncyCastle.java for newer ones.
 *
 * <pre>printf %s 493817 | java -cp bcprov.jar Hpke.java HPKE-X25519 PUBLIC-KEY-BYTES OPERATION KEY-ID PASSWORD-AUTH-TYPE</pre>
 */
public class Hpke {
    static final byte[] NONE = {};
    static final byte[] KEM = concat(bytes("KEM"), i2osp(0x0020)); // DHKEM(X25519, HKDF-SHA256)
    static final byte[] SUITE = concat(bytes("HPKE"), i2osp(0x0020), i2osp(0x0001), i2osp(0x0002)); // HKDF-SHA256, AES-256-GCM

    public static void main(String[] args) throws Exception {
        if (!args[0].equals("HPKE-X25519")) {
            throw new IllegalArgumentException("this program has no " + args[0]);
        }
        byte[] aad = bytes(String.join("\n", args[2], args[3], args[4]));
        byte[] sealed = seal(Base64.getDecoder().decode(args[1]), bytes("strongroom hpke v1"), aad, System.in.readAllBytes());
        System.out.println(Base64.getEncoder().encodeToString(sealed));
    }

    /** RFC 9180, 6.1, in base mode: enc || ciphertext. */
    static byte[] seal(byte[] publicKey, byte[] info, byte[] aad, byte[] plaintext) throws Exception {
        X25519PrivateKeyParameters ephemeral = new X25519PrivateKeyParameters(new SecureRandom());
        byte[] enc = ephemeral.generatePublicKey().getEncoded();
        byte[] dh = new byte[32];
        X25519Agreement agreement = new X25519Agreement();
        agreement.init(ephemeral);
        agreement.calculateAgreement(new X25519PublicKeyParameters(publicKey), dh, 0);
        byte[] shared = expand(KEM, extract(KEM, NONE, "eae_prk", dh), "shared_secret", concat(enc, publicKey), 32);

        byte[] mode = {0};
        byte[] context = concat(mode, extract(SUITE, NONE, "psk_id_hash", NONE), extract(SUITE, NONE, "info_hash", info));
        byte[] secret = extract(SUITE, shared, "secret", NONE);
        byte[] key = expand(SUITE, secret, "key", context, 32);
        byte[] nonce = expand(SUITE, secret, "base_nonce", context, 12);

        GCMBlockCipher gcm = new GCMBlockCipher(new AESEngine());
        gcm.init(true, new AEADParameters(new KeyParameter(key), 128, nonce, aad));
        byte[] ciphertext = new byte[gcm.getOutputSize(plaintext.length)];
        gcm.doFinal(ciphertext, gcm.processBytes(plaintext, 0, plaintext.length, ciphertext, 0));
        return concat(enc, ciphertext);
    }

    /** LabeledExtract of RFC 9180, 4. */
    static byte[] extract(byte[] suite, byte[] salt, String label, byte[] ikm) {
        byte[] labelled = concat(bytes("HPKE-v1"), suite, bytes(label), ikm);
        HMac hmac = new HMac(new SHA256Digest());
        hmac.init(new KeyParameter(salt));
        hmac.update(labelled, 0, labelled.length);
        byte[] prk = new byte[hmac.getMacSize()];
        hmac.doFinal(prk, 0);
        return prk;
    }

    /** LabeledExpand of RFC 9180, 4. */
    static byte[] expand(byte[] suite, byte[] prk, String label, byte[] info, int length) {
        HKDFBytesGenerator hkdf = new HKDFBytesGenerator(new SHA256Digest());
        hkdf.init(HKDFParameters.skipExtractParameters(prk, concat(i2osp(length), bytes("HPKE-v1"), suite, bytes(label), info)));
        byte[] out = new byte[length];
        hkdf.generateBytes(out, 0, length);
        return out;
    }

    static byte[] i2osp(int n) {
        return new byte[] {(byte) (n >> 8), (byte) n};
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
