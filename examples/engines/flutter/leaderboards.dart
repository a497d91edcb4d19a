// A client for games in Dart 3 and Flutter; needs the package http.
import 'dart:async';
import 'dart:convert';
import 'dart:math';

import 'package:http/http.dart' as http;

/// A JSON object of the OpenAPI document: a result, a page or a card.
typedef Json = Map<String, dynamic>;

/// An error response of the API, or a request without a response.
class LeaderboardsException implements Exception {
  const LeaderboardsException(this.status, this.code, this.detail, [this.retryAfter]);

  /// 0 without a response.
  final int status;

  /// As in the list of errors, such as `date-closed`; `network` without a response.
  final String code;
  final String detail;
  final Duration? retryAfter;

  /// A conflict is temporary while an earlier attempt with the same key is still running.
  bool get isTemporary =>
      status == 0 || status == 408 || status == 429 || (status >= 500 && status != 501) || code == 'idempotency-key-in-use';

  @override
  String toString() => '$code ($status): $detail';
}

class Leaderboards {
  /// [token] returns the player's current session or device token; it is called before each attempt.
  Leaderboards(String url, this.token, {http.Client? client})
      : _base = Uri.parse(url),
        _http = client ?? http.Client();

  final Future<String> Function() token;
  final Uri _base;
  final http.Client _http;
  static final _random = Random.secure();

  static const _attempts = 4;
  static const _timeout = Duration(seconds: 10); // of one attempt
  static const _longestWait = Duration(seconds: 20); // a longer Retry-After is left to the caller

  /// Submits a score. A score that must survive a restart of the game needs a [key] of the caller's:
  /// store it with the score, and send both again until there is a result.
  Future<Json> submit(String mode, num score, {String? key}) =>
      _ask('POST', ['scores'], own: true, body: {'mode': mode, 'score': score}, key: key ?? newKey());

  /// Reads a page of a board; [cursor] is the `next_cursor` of the page before.
  Future<Json> page(String mode, {String period = 'day', int limit = 50, String? cursor}) =>
      _ask('GET', ['leaderboards', mode], query: {'period': period, 'limit': '$limit', if (cursor != null) 'cursor': cursor});

  /// Reads the standing of the token's player; its `rank` is null if they are not on the board.
  Future<Json> ownCard(String mode, {String period = 'day'}) =>
      _ask('GET', ['leaderboards', mode, 'players', 'me'], query: {'period': period}, own: true);

  /// 128 random bits.
  static String newKey() => [for (var i = 0; i < 4; i++) _random.nextInt(1 << 32)].join('-');

  // All attempts send the same key, so the request takes effect once.
  Future<Json> _ask(String method, List<String> path, {Map<String, String>? query, bool own = false, Json? body, String? key}) async {
    final address = _base.replace(
      pathSegments: [..._base.pathSegments.where((part) => part.isNotEmpty), 'v1', ...path],
      queryParameters: query,
    );
    for (var attempt = 1;; attempt++) {
      final request = http.Request(method, address)..followRedirects = false;
      if (own) request.headers['Authorization'] = 'Bearer ${await token()}';
      if (key != null) request.headers['Idempotency-Key'] = '"$key"';
      if (body != null) {
        request.headers['Content-Type'] = 'application/json';
        request.bodyBytes = utf8.encode(jsonEncode(body));
      }
      try {
        return await _send(request);
      } on LeaderboardsException catch (failure) {
        final wait = failure.retryAfter ?? Duration(milliseconds: (_random.nextDouble() * 250 * pow(2, attempt)).round());
        if (!failure.isTemporary || attempt == _attempts || wait > _longestWait) rethrow;
        await Future<void>.delayed(wait);
      }
    }
  }

  Future<Json> _send(http.Request request) async {
    final http.Response response;
    try {
      response = await http.Response.fromStream(await _http.send(request)).timeout(_timeout);
    } on http.ClientException catch (failure) {
      throw LeaderboardsException(0, 'network', failure.message);
    } on TimeoutException {
      throw const LeaderboardsException(0, 'network', 'timeout');
    }
    Json value = {};
    try {
      value = jsonDecode(utf8.decode(response.bodyBytes)) as Json;
    } on Object {
      // a gateway's own error page is not JSON
      if (response.statusCode < 300) rethrow;
    }
    if (response.statusCode >= 200 && response.statusCode < 300) return value;
    final seconds = int.tryParse(response.headers['retry-after'] ?? '');
    throw LeaderboardsException(
      response.statusCode,
      value['code'] as String? ?? 'http-${response.statusCode}',
      value['detail'] as String? ?? 'status ${response.statusCode}',
      seconds == null ? null : Duration(seconds: seconds),
    );
  }
}
