/**
 * Plugin namespaces: the process-local registry, the gate that decides which of them a run sees, and the host's side of
 * a namespace call. Scopes are serialised in `namespace-scope.ts`.
 */
import type { CodeModeNamespaceContext, CodeModeNamespaceRegistration, NamespaceCallable } from "../index.js";
import { isIdentifier, isReservedGlobal } from "./namespace-names.js";
import { createMarker, serializeScope, type SerializedScope } from "./namespace-scope.js";

/** A registration that passed its checks, owned by a plugin. */
export interface RegisteredNamespace extends Readonly<CodeModeNamespaceRegistration> {
  readonly pluginId: string;
}

/** A namespace that a run may use. */
export interface VisibleNamespace {
  readonly namespace: RegisteredNamespace;
}

/** One cell's instance of a namespace. */
export interface NamespaceInstance extends VisibleNamespace {
  readonly scope: SerializedScope;
}

const registry = new Map<string, RegisteredNamespace>();

/** See `index.d.ts`. */
export function registerCodeModeNamespaceForPlugin(
  pluginId: string,
  registration: CodeModeNamespaceRegistration,
): void {
  const namespace = checked(pluginId, registration);
  if (registry.has(namespace.id)) {
    throw new TypeError(`code mode namespace id is already registered: ${namespace.id}`);
  }
  for (const other of registry.values()) {
    if (other.globalName === namespace.globalName) {
      throw new TypeError(`code mode namespace globalName is already registered: ${namespace.globalName}`);
    }
  }
  registry.set(namespace.id, namespace);
}

/** See `index.d.ts`. */
export function createCodeModeNamespaceTool(
  toolName: string,
  inputMapper?: (args: unknown[]) => unknown,
): NamespaceCallable {
  return createMarker(toolName, inputMapper);
}

/** See `index.d.ts`. */
export function clearCodeModeNamespacesForPlugin(pluginId: string): void {
  for (const [id, namespace] of registry) {
    if (namespace.pluginId === pluginId) {
      registry.delete(id);
    }
  }
}

/** See `index.d.ts`. */
export function clearCodeModeNamespacesForTest(): void {
  registry.clear();
}

/** All registrations as the engine takes them; it keeps those whose tools are in a run's catalog. */
export function registeredNamespaces(): Omit<RegisteredNamespace, "createScope">[] {
  return [...registry.values()]
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, pluginId, globalName, description, prompt, requiredToolNames }) => ({
      id,
      pluginId,
      globalName,
      description,
      prompt,
      requiredToolNames,
    }));
}

/**
 * Namespaces of a run by id, as far as they are still registered: a cleared plugin's namespaces are gone for cells that
 * start afterwards. The engine has checked that the run's catalog has their tools.
 */
export function visibleById(ids: readonly string[]): VisibleNamespace[] {
  return ids.flatMap((id) => {
    const namespace = registry.get(id);
    if (!namespace) {
      return [];
    }
    return [{ namespace }];
  });
}

/** Makes a cell's instance. @throws what `createScope` throws, or a TypeError naming the member that may not cross. */
export async function instantiateNamespace(
  visible: VisibleNamespace,
  context: CodeModeNamespaceContext,
): Promise<NamespaceInstance> {
  const scope = await visible.namespace.createScope(context);
  return { ...visible, scope: serializeScope(scope, visible.namespace.globalName) };
}

/**
 * The tool and the input that a guest's call stands for. The path is looked up among those recorded at serialisation, so
 * a forged one finds nothing; the engine has resolved it to an exact catalog id the same way.
 */
export async function resolveNamespaceCall(
  instance: NamespaceInstance,
  path: string,
  args: unknown[],
): Promise<{ toolName: string; input: unknown }> {
  const { namespace, scope } = instance;
  const callable = scope.callables.get(path);
  if (!callable) {
    throw new TypeError(`Unknown code mode namespace function in ${namespace.globalName}.`);
  }
  const input = callable.inputMapper ? await callable.inputMapper(args) : args[0];
  return { toolName: callable.toolName, input: input ?? {} };
}

/** Checks a registration and copies it, so that a plugin cannot change it afterwards. */
function checked(pluginId: unknown, registration: CodeModeNamespaceRegistration): RegisteredNamespace {
  if (!isFilled(pluginId)) {
    throw new TypeError("code mode namespace plugin id must be a non-empty string.");
  }
  if (typeof registration !== "object" || registration === null) {
    throw new TypeError("code mode namespace registration must be an object.");
  }
  const { id, globalName, description, requiredToolNames, prompt } = registration;
  if (!isFilled(id)) {
    throw new TypeError("code mode namespace id must be a non-empty string.");
  }
  if (typeof globalName !== "string" || !isIdentifier(globalName)) {
    throw new TypeError(`code mode namespace globalName must be a JavaScript identifier: ${globalName}`);
  }
  if (isReservedGlobal(globalName)) {
    throw new TypeError(`code mode namespace globalName is reserved: ${globalName}`);
  }
  if (typeof description !== "string") {
    throw new TypeError(`code mode namespace description must be a string: ${id}`);
  }
  if (prompt !== undefined && typeof prompt !== "string") {
    throw new TypeError(`code mode namespace prompt must be a string: ${id}`);
  }
  if (typeof registration.createScope !== "function") {
    throw new TypeError(`code mode namespace createScope must be a function: ${id}`);
  }
  if (!Array.isArray(requiredToolNames) || requiredToolNames.length === 0) {
    throw new TypeError(`code mode namespace requiredToolNames must not be empty: ${id}`);
  }
  if (!requiredToolNames.every(isFilled)) {
    throw new TypeError(`code mode namespace requiredToolNames must be non-empty strings: ${id}`);
  }
  return Object.freeze({
    pluginId,
    id,
    globalName,
    description,
    prompt,
    requiredToolNames: Object.freeze([...requiredToolNames]),
    createScope: registration.createScope.bind(registration),
  });
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
