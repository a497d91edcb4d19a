// Checks every answer that the product gives any test against api/openapi.yaml.
import { readFileSync } from "node:fs";
import Ajv from "ajv/dist/2020.js";
import { parse } from "yaml";

const document = parse(readFileSync(new URL("../../../api/openapi.yaml", import.meta.url), "utf8"));
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(document, "api");

/** The operations that were answered with success, by their ids. */
export const answered = new Set();

/** Like fetch, but throws if the document does not allow the answer. */
export async function checked(url, init = {}) {
  const response = await fetch(url, init);
  const { pathname } = new URL(url);
  const method = (init.method ?? "GET").toLowerCase();
  // A path without parameters comes before one with them.
  const path = Object.keys(document.paths)
    .filter((path) => document.paths[path][method] && new RegExp("^" + path.replace(/\{\w+\}/g, "[^/]+") + "$").test(pathname))
    .sort((a, b) => a.split("{").length - b.split("{").length)[0];
  if (!path) throw new Error(`the document has no ${method} ${pathname}`);
  const operation = document.paths[path][method];
  const pointer = `#/paths/${path.replaceAll("/", "~1")}/${method}/responses/${response.status}`;
  let declared = operation.responses[response.status];
  if (!declared) throw new Error(`${operation.operationId} declares no ${response.status}`);
  if (response.ok) answered.add(operation.operationId);
  if (response.status === 204) return response;
  const type = response.headers.get("Content-Type") ?? "";
  if (type.startsWith("text/event-stream") && declared.content?.["text/event-stream"]) return response; // it does not end
  const ref = declared.$ref;
  const kind = response.ok ? "application/json" : "application/problem+json";
  const schema = `api${ref ?? pointer}/content/${kind.replace("/", "~1")}/schema`.replaceAll("{", "%7B").replaceAll("}", "%7D");
  const body = await response.clone().json();
  if (!ajv.validate(schema, body)) throw new Error(`${operation.operationId} ${response.status}: ${ajv.errorsText()} in ${JSON.stringify(body)}`);
  return response;
}

/** The ids of all operations under these tags. */
export function operations(tags) {
  return Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter((operation) => operation.tags?.some((tag) => tags.includes(tag)))
    .map((operation) => operation.operationId);
}

export const codes = document.components.schemas.ProblemCode.enum;
