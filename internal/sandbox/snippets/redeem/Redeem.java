// Redeems the receipt on standard input. TOKEN is in the environment:
// java Redeem.java https://vault.bank.example '{"amount":"12.50","currency":"EUR","to":"ACME"}'
import java.net.URI;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.*;

class Redeem {
    public static void main(String[] args) throws Exception {
        String transaction = args[1]; // the canonical form of what will be executed
        String receipt = new String(System.in.readAllBytes(), StandardCharsets.US_ASCII).trim(); // no character needs an escape
        HttpRequest request = HttpRequest.newBuilder(URI.create(args[0] + "/api/receipts/redeem"))
            .header("Authorization", "Bearer " + System.getenv("TOKEN")).header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"receipt\":\"" + receipt + "\"}")).build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        String claims = answer.body();
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(transaction.getBytes(StandardCharsets.UTF_8));
        if (answer.statusCode() != 200) throw new Exception("not authorized: " + answer.statusCode() + " " + claims);
        if (!claim(claims, "txn_hash").equals(Base64.getUrlEncoder().withoutPadding().encodeToString(hash))) throw new Exception("not this transaction");
        if (!claim(claims, "passwordAuthType").equals("TRANSACTION_PIN")) throw new Exception("not authorized with the PIN");
        if (claims.contains("\"mustChange\":true")) throw new Exception("the user must change the PIN first");
        System.out.println("authorized by " + claim(claims, "sub")); // compare it with the owner of the account
    }

    // Use your JSON library instead: the JDK has none.
    static String claim(String claims, String name) {
        Matcher m = Pattern.compile("\"" + name + "\":\"([^\"\\\\]*)\"").matcher(claims);
        return m.find() ? m.group(1) : "";
    }
}
