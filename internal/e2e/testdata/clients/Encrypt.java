import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;

/**
 * Encrypts standard input for Strongroom and prints base64.
 *
 * <pre>printf %s 493817 | java Encrypt.java public.pem</pre>
 *
 * Always give the parameters. The JDK takes SHA-256 in the name of the
 * transformation for the label only and uses MGF1 with SHA-1, which "stock" as
 * second argument shows; Strongroom accepts that unless its operator forbids it.
 */
public class Encrypt {
    static final String TRANSFORMATION = "RSA/ECB/OAEPWithSHA-256AndMGF1Padding";
    static final OAEPParameterSpec SHA256 =
        new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT);

    static PublicKey parse(String pem) throws GeneralSecurityException {
        String base64 = pem.replaceAll("-----[^-]+-----|\\s", "");
        return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(base64)));
    }

    public static void main(String[] args) throws Exception {
        PublicKey key = parse(Files.readString(Path.of(args[0])));
        byte[] secret = System.in.readAllBytes();
        Cipher cipher = Cipher.getInstance(TRANSFORMATION);
        if (args.length > 1 && args[1].equals("stock")) {
            cipher.init(Cipher.ENCRYPT_MODE, key);
        } else {
            cipher.init(Cipher.ENCRYPT_MODE, key, SHA256);
        }
        System.out.println(Base64.getEncoder().encodeToString(cipher.doFinal(secret)));
    }
}
