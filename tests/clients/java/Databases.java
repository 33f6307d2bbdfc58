import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.DriverManager;
import java.util.regex.Pattern;

/** A database, created by the platform's API, and used by JDBC. */
class Databases {
  static final String at = System.getenv("ICOSA_URL")
      + "/subscriptions/main/resourceGroups/shop/providers/Microsoft.Sql/servers/java/databases/orders";
  static final HttpClient client = HttpClient.newHttpClient();

  static String send(String method, String path, String body) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(at + path + "?api-version=2021-11-01"))
        .header("Authorization", "Bearer " + System.getenv("ICOSA_KEY"))
        .header("Content-Type", "application/json")
        .method(method, HttpRequest.BodyPublishers.ofString(body)).build();
    var answer = client.send(request, BodyHandlers.ofString());
    if (answer.statusCode() >= 400 && answer.statusCode() != 404) throw new Exception(answer.body());
    return answer.statusCode() == 404 ? "" : answer.body();
  }

  public static void main(String[] arguments) throws Exception {
    send("PUT", "", "{\"location\":\"westeurope\",\"sku\":{\"name\":\"S0\"}}");
    for (int tries = 0; tries < 200 && !send("GET", "", "").contains("\"Online\""); tries++) Thread.sleep(100);
    var found = Pattern.compile("\"connectionString\":\"postgresql://([^:]+):([^@]+)@([^\"]+)\"")
        .matcher(send("POST", "/listCredentials", ""));
    if (!found.find()) throw new Exception("no connection string");
    try (var connection = DriverManager.getConnection("jdbc:postgresql://" + found.group(3), found.group(1), found.group(2));
        var statement = connection.createStatement()) {
      statement.execute("create table lines (id int primary key, text text)");
      var insert = connection.prepareStatement("insert into lines values (?, ?)");
      for (int id = 1; id <= 3; id++) {
        insert.setInt(1, id);
        insert.setString(2, "ü" + id);
        insert.addBatch();
      }
      insert.executeBatch();
      var rows = statement.executeQuery("select count(*), max(text) from lines");
      rows.next();
      if (rows.getInt(1) != 3 || !rows.getString(2).equals("ü3")) throw new Exception("other rows");
    }
    send("DELETE", "", "");
    System.out.println("ok");
  }
}
