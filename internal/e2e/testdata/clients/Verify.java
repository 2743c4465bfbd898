import java.math.BigInteger;
import java.net.URI;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.security.*;
import java.security.spec.*;
import java.util.Base64;
import java.util.regex.*;

/** Verifies the ES256 JWS on standard input by a JWK Set (arguments: its URL, typ) and prints the payload. */
class Verify {
    public static void main(String[] args) throws Exception {
        String[] parts = new String(System.in.readAllBytes(), StandardCharsets.UTF_8).trim().split("\\.");
        String header = new String(Base64.getUrlDecoder().decode(parts[0]), StandardCharsets.UTF_8);
        if (parts.length != 3 || !member(header, "alg").equals("ES256") || !member(header, "typ").equals(args[1])) {
            throw new SecurityException("not an ES256 " + args[1]);
        }
        String set = HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(args[0])).build(),
            HttpResponse.BodyHandlers.ofString()).body();
        for (Matcher jwk = Pattern.compile("\\{[^{}]*\\}").matcher(set); jwk.find(); ) {
            if (!member(jwk.group(), "kid").equals(member(header, "kid"))) {
                continue;
            }
            Signature es256 = Signature.getInstance("SHA256withECDSAinP1363Format");
            es256.initVerify(publicKey(jwk.group()));
            es256.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
            if (!es256.verify(Base64.getUrlDecoder().decode(parts[2]))) {
                throw new SecurityException("the signature is wrong");
            }
            System.out.print(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8));
            return;
        }
        throw new SecurityException("the key is not published");
    }

    static PublicKey publicKey(String jwk) throws GeneralSecurityException {
        AlgorithmParameters p256 = AlgorithmParameters.getInstance("EC");
        p256.init(new ECGenParameterSpec("secp256r1"));
        ECPoint point = new ECPoint(number(member(jwk, "x")), number(member(jwk, "y")));
        return KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(point, p256.getParameterSpec(ECParameterSpec.class)));
    }

    static BigInteger number(String base64url) {
        return new BigInteger(1, Base64.getUrlDecoder().decode(base64url));
    }

    /** A member of a flat JSON object with a plain string. A real program uses a JSON library. */
    static String member(String json, String name) {
        Matcher m = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
        return m.find() ? m.group(1) : "";
    }
}
