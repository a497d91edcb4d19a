// A client for games in C++17: needs libcurl 7.66 or later, and nlohmann/json 3. Each call blocks
// until it has a result: call it from a thread of its own, such as std::async's.
#pragma once

#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <curl/curl.h>
#include <nlohmann/json.hpp>

namespace leaderboards {

using json = nlohmann::json;

// Error is an error response of the API, or a request without a response.
struct Error : std::runtime_error {
  Error(long status, std::string code, const std::string& detail, double retry_after)
      : std::runtime_error(detail), status(status), code(std::move(code)), retry_after(retry_after) {}

  // A conflict is temporary while an earlier attempt with the same key is still running.
  bool is_temporary() const {
    return status == 0 || status == 408 || status == 429 || (status >= 500 && status != 501) || code == "idempotency-key-in-use";
  }

  long status;         // 0 without a response
  std::string code;    // as in the list of errors, such as "date-closed"; "network" without a response
  double retry_after;  // seconds; 0 if the API did not say
};

class Client {
 public:
  using Query = std::map<std::string, std::string>;

  // token returns the player's current session or device token; it is called before each attempt.
  Client(std::string url, std::function<std::string()> token) : url_(std::move(url) + "/v1"), token_(std::move(token)) {
    static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);  // not safe to run twice at once
    if (ready != CURLE_OK) throw std::runtime_error(curl_easy_strerror(ready));
  }

  // submit sends a score. A score that must survive a restart of the game needs a key of the
  // caller's: store it with the score, and send both again until there is a result.
  json submit(const std::string& mode, double score, std::string key = "") const {
    if (key.empty()) key = new_key();
    return ask("/scores", true, json{{"mode", mode}, {"score", score}}.dump(), key);
  }

  // page reads a page of a board, such as {{"period", "week"}, {"limit", "20"}, {"cursor", page["next_cursor"]}}.
  json page(const std::string& mode, const Query& query = {}) const { return ask("/leaderboards/" + mode + parameters(query), false); }

  // own_card reads the standing of the token's player; its rank is null if they are not on the board.
  json own_card(const std::string& mode, const Query& query = {}) const {
    return ask("/leaderboards/" + mode + "/players/me" + parameters(query), true);
  }

 private:
  static constexpr int attempts = 4;
  static constexpr long timeout = 10;         // seconds, of one attempt
  static constexpr double longest_wait = 20;  // seconds; a longer Retry-After is left to the caller

  struct Response {
    long status = 0;  // 0 without a response
    std::string body;
    double retry_after = 0;
  };

  // All attempts send the same key, so the request takes effect once.
  json ask(const std::string& path, bool own, const std::string& body = "", const std::string& key = "") const {
    for (int attempt = 1;; attempt++) {
      std::vector<std::string> headers;
      if (own) headers.push_back("Authorization: Bearer " + token_());
      if (!key.empty()) headers.push_back("Idempotency-Key: \"" + key + "\"");
      const Response response = send(url_ + path, headers, body);
      if (response.status >= 200 && response.status < 300) return json::parse(response.body);
      const Error failure = error(response);
      const double wait = failure.retry_after > 0 ? failure.retry_after : random() * 0.25 * std::pow(2, attempt);
      if (!failure.is_temporary() || attempt == attempts || wait > longest_wait) throw failure;
      std::this_thread::sleep_for(std::chrono::duration<double>(wait));
    }
  }

  static Error error(const Response& response) {
    if (response.status == 0) return {0, "network", response.body, 0};
    const json body = json::parse(response.body, nullptr, false);  // a gateway's own error page is not JSON
    const json problem = body.is_object() ? body : json::object();
    const std::string status = std::to_string(response.status);
    return {response.status, problem.value("code", "http-" + status), problem.value("detail", "status " + status), response.retry_after};
  }

  // A body makes it a POST.
  static Response send(const std::string& address, const std::vector<std::string>& lines, const std::string& body) {
    Response response;
    CURL* curl = curl_easy_init();
    if (curl == nullptr) throw std::runtime_error("curl_easy_init failed");
    curl_slist* headers = nullptr;
    for (const auto& line : lines) headers = curl_slist_append(headers, line.c_str());
    if (!body.empty()) {
      headers = curl_slist_append(headers, "Content-Type: application/json");
      curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
      curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.c_str());
    }
    curl_easy_setopt(curl, CURLOPT_URL, address.c_str());
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, timeout);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &response.body);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, +[](char* data, size_t size, size_t count, void* to) {
      static_cast<std::string*>(to)->append(data, size * count);
      return size * count;
    });
    const CURLcode result = curl_easy_perform(curl);
    if (result == CURLE_OK) {
      curl_off_t seconds = 0;
      curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &response.status);
      curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &seconds);
      response.retry_after = static_cast<double>(seconds);
    } else {
      response.body = curl_easy_strerror(result);
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    return response;
  }

  static std::string parameters(const Query& query) {
    std::string text;
    for (const auto& [name, value] : query) {
      char* escaped = curl_easy_escape(nullptr, value.c_str(), static_cast<int>(value.size()));
      text += (text.empty() ? "?" : "&") + name + "=" + escaped;
      curl_free(escaped);
    }
    return text;
  }

  static double random() {
    thread_local std::mt19937_64 source{std::random_device{}()};
    return std::uniform_real_distribution<>(0, 1)(source);
  }

  // 128 random bits.
  static std::string new_key() {
    std::random_device source;
    std::string key;
    for (int i = 0; i < 4; i++) key += (i == 0 ? "" : "-") + std::to_string(source());
    return key;
  }

  std::string url_;
  std::function<std::string()> token_;
};

}  // namespace leaderboards

#ifdef LEADERBOARDS_EXAMPLE
#include <iostream>

// Arguments: the API's address, a player's token, a mode.
int main(int, char** args) {
  const std::string token = args[2], mode = args[3];
  const leaderboards::Client boards(args[1], [token] { return token; });
  const auto result = boards.submit(mode, 62.5);
  std::cout << "submitted: " << result["status"].get<std::string>() << ", rank " << result["rank"] << " of " << result["total"] << "\n";
  const auto page = boards.page(mode);
  for (const auto& entry : page["entries"]) {
    const auto player = entry["player"].get<std::string>();
    std::cout << entry["rank"] << ". " << entry.value("name", player) << " " << entry["score"] << "\n";
  }
  std::cout << "own rank: " << boards.own_card(mode)["rank"] << "\n";
  try {
    boards.page("no_such_mode");
    return 1;
  } catch (const leaderboards::Error& failure) {
    std::cout << "refused: " << failure.status << " " << failure.code << "\n";
  }
}
#endif
