// Redeems the receipt on standard input. TOKEN is in the environment:
// java Redeem.java https://vault.bank.example payments.bank.example alice '{"amount":"12.50","currency":"EUR","id":"p-7031","to":"DE02120300000000202051"}'
// The arguments are the service, the aud of your receipts, the owner of the account, and the
// canonical form of the payment that you will execute.
import java.net.URI;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.*;

class Redeem {
    public static void main(String[] args) throws Exception {
        String url = args[0], audience = args[1], account = args[2], transaction = args[3];
        String receipt = new String(System.in.readAllBytes(), StandardCharsets.US_ASCII).trim(); // no character needs an escape
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/receipts/redeem"))
            .timeout(Duration.ofSeconds(10))
            .header("Authorization", "Bearer " + System.getenv("TOKEN")).header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"receipt\":\"" + receipt + "\"}")).build();
        HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        String claims = answer.body();
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(transaction.getBytes(StandardCharsets.UTF_8));
        if (answer.statusCode() != 200) throw new Exception("not authorized: " + answer.statusCode() + " " + claims);
        if (!claim(claims, "aud").equals(audience)) throw new Exception("not for this backend");
        if (!claim(claims, "sub").equals(account)) throw new Exception("not the owner of the account"); // in jwt mode compare sub_iss too
        if (!claim(claims, "txn_hash").equals(Base64.getUrlEncoder().withoutPadding().encodeToString(hash))) throw new Exception("not this transaction");
        if (!claim(claims, "passwordAuthType").equals("TRANSACTION_PIN")) throw new Exception("not authorized with the PIN");
        if (claims.contains("\"mustChange\":true")) throw new Exception("the user must change the PIN first");
        // Optional, if all devices prove a key: check that amr has "swk" or "hwk", and that you enrolled cnf.jkt.
        System.out.println("authorized by " + claim(claims, "sub"));
    }

    // Use your JSON library instead: the JDK has none.
    static String claim(String claims, String name) {
        Matcher m = Pattern.compile("\"" + name + "\":\"([^\"\\\\]*)\"").matcher(claims);
        return m.find() ? m.group(1) : "";
    }
}
