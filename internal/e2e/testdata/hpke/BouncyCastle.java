import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.bouncycastle.crypto.hpke.HPKE;
import org.bouncycastle.util.Arrays;

/**
 * Encrypts standard input with the HPKE of BouncyCastle and prints base64. X-Wing
 * needs 1.81 or newer.
 *
 * <pre>printf %s 493817 | java -cp bcprov.jar BouncyCastle.java ALGORITHM PUBLIC-KEY-BYTES OPERATION KEY-ID PASSWORD-AUTH-TYPE</pre>
 */
public class BouncyCastle {
    public static void main(String[] args) throws Exception {
        short kem = args[0].equals("HPKE-XWING") ? (short) 0x647a : HPKE.kem_X25519_SHA256;
        HPKE hpke = new HPKE(HPKE.mode_base, kem, HPKE.kdf_HKDF_SHA256, HPKE.aead_AES_GCM256);
        byte[] info = "strongroom hpke v1".getBytes(StandardCharsets.UTF_8);
        byte[] aad = String.join("\n", args[2], args[3], args[4]).getBytes(StandardCharsets.UTF_8);
        byte[][] sealed = hpke.seal(hpke.deserializePublicKey(Base64.getDecoder().decode(args[1])),
            info, aad, System.in.readAllBytes(), null, null, null);
        byte[] ciphertext = sealed[0], enc = sealed[1];
        System.out.println(Base64.getEncoder().encodeToString(Arrays.concatenate(enc, ciphertext)));
    }
}
