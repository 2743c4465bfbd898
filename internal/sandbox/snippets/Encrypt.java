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

/** printf %s 493817 | java Encrypt.java public.pem */
public class Encrypt {
    static String encrypt(byte[] secret, String publicKey) throws GeneralSecurityException {
        byte[] der = Base64.getMimeDecoder().decode(publicKey.replaceAll("-----[^-]+-----", ""));
        PublicKey key = KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(der));
        Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-256AndMGF1Padding");
        cipher.init(Cipher.ENCRYPT_MODE, key,
            new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT));
        return Base64.getEncoder().encodeToString(cipher.doFinal(secret));
    }

    public static void main(String[] args) throws Exception {
        System.out.println(encrypt(System.in.readAllBytes(), Files.readString(Path.of(args[0]))));
    }
}
