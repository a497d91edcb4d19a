# A client for games in Godot 4. Add it to the scene as a node, or as an autoload; set url and token.
#
#   var result := await Leaderboards.submit("daily_frame", 800)
#   if result.ok:
#       print(int(result.value.rank))
#   else:
#       print(result.code)
class_name LeaderboardsClient
extends Node

# Result has a value if ok; else the rest says why there is none.
class Result:
	var ok := false
	var value: Dictionary
	var status := 0 # 0 without a response
	var code := "" # as in the list of errors, such as "date-closed"; "network" without a response
	var detail := ""
	var retry_after := -1.0 # seconds; negative if the API did not say

	# A conflict is temporary while an earlier attempt with the same key is still running.
	func is_temporary() -> bool:
		return status in [0, 408, 429] or (status >= 500 and status != 501) or code == "idempotency-key-in-use"

const ATTEMPTS := 4
const TIMEOUT := 10.0 # seconds, of one attempt
const LONGEST_WAIT := 20.0 # seconds; a longer Retry-After is left to the caller

@export var url := "http://127.0.0.1:8080"

# Returns the player's current session or device token; it is called before each attempt.
var token := func() -> String: return ""

# Submits a score. A score that must survive a restart of the game needs a key of the caller's:
# store it with the score, and send both again until there is a result.
func submit(mode: String, score: float, key := new_key()) -> Result:
	return await _ask(HTTPClient.METHOD_POST, "/scores", true, JSON.stringify({"mode": mode, "score": score}), key)

# Reads a page of a board; the cursor is the next_cursor of the page before.
func page(mode: String, period := "day", limit := 50, cursor := "") -> Result:
	var after := "" if cursor.is_empty() else "&cursor=" + cursor
	return await _ask(HTTPClient.METHOD_GET, "/leaderboards/%s?period=%s&limit=%d%s" % [mode, period, limit, after], false)

# Reads the standing of the token's player; its rank is null if they are not on the board.
func own_card(mode: String, period := "day") -> Result:
	return await _ask(HTTPClient.METHOD_GET, "/leaderboards/%s/players/me?period=%s" % [mode, period], true)

static func new_key() -> String:
	return Crypto.new().generate_random_bytes(16).hex_encode()

# All attempts send the same key, so the request takes effect once.
func _ask(method: HTTPClient.Method, path: String, own: bool, body := "", key := "") -> Result:
	var attempt := 1
	while true:
		var headers := PackedStringArray()
		if own:
			headers.append("Authorization: Bearer " + str(await token.call()))
		if not key.is_empty():
			headers.append("Idempotency-Key: \"%s\"" % key)
		if not body.is_empty():
			headers.append("Content-Type: application/json")
		var result := await _send(method, url + "/v1" + path, headers, body)
		if result.ok or not result.is_temporary() or attempt == ATTEMPTS:
			return result
		var wait := result.retry_after if result.retry_after >= 0 else randf() * 0.25 * pow(2, attempt)
		if wait > LONGEST_WAIT:
			return result
		await get_tree().create_timer(wait, true, false, true).timeout # also while the game is paused
		attempt += 1
	return null

func _send(method: HTTPClient.Method, address: String, headers: PackedStringArray, body: String) -> Result:
	var result := Result.new()
	var request := HTTPRequest.new()
	request.timeout = TIMEOUT
	request.max_redirects = 0
	request.process_mode = Node.PROCESS_MODE_ALWAYS
	add_child(request)
	var started := request.request(address, headers, method, body)
	if started != OK:
		request.queue_free()
		result.code = "network"
		result.detail = error_string(started)
		return result
	var response: Array = await request.request_completed
	request.queue_free()
	if response[0] != HTTPRequest.RESULT_SUCCESS:
		result.code = "network"
		result.detail = "HTTPRequest result %d" % response[0]
		return result
	result.status = response[1]
	result.ok = result.status >= 200 and result.status < 300
	var parsed: Variant = JSON.parse_string(response[3].get_string_from_utf8())
	if parsed is Dictionary:
		result.value = parsed
	if not result.ok:
		result.code = result.value.get("code", "http-%d" % result.status)
		result.detail = result.value.get("detail", "status %d" % result.status)
	for header: String in response[2]:
		if header.to_lower().begins_with("retry-after:"):
			result.retry_after = header.substr(12).strip_edges().to_float()
	return result
