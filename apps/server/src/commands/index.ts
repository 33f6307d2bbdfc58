import type { Command } from '../command.ts'

/** The platform's own commands, by the word after `icosa`. Services have others. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  dev: async () => (await import('./development/dev.ts')).dev,
  status: async () => (await import('./development/instance.ts')).status,
  stop: async () => (await import('./development/instance.ts')).stop,
  logs: async () => (await import('./development/logs.ts')).logs,
  serve: async () => (await import('./operation/serve.ts')).serve,
  worker: async () => (await import('./operation/serve.ts')).worker,
  migrate: async () => (await import('./operation/migrate.ts')).migrate,
  keys: async () => (await import('./access/keys.ts')).keys,
  tenants: async () => (await import('./access/tenants.ts')).tenants,
  subscriptions: async () => (await import('./access/subscriptions.ts')).subscriptions,
  token: async () => (await import('./access/token.ts')).token,
  'signing-keys': async () => (await import('./access/signing-keys.ts')).signingKeys,
  'master-key': async () => (await import('./access/master-key.ts')).masterKey,
  audit: async () => (await import('./operation/audit.ts')).audit,
  trust: async () => (await import('./development/trust.ts')).trust,
  clock: async () => (await import('./development/clock.ts')).clock,
  reset: async () => (await import('./development/reset.ts')).reset,
  snapshot: async () => (await import('./development/snapshot.ts')).snapshot,
  faults: async () => (await import('./development/faults.ts')).faults,
  operations: async () => (await import('./reference/operations.ts')).operations,
  configuration: async () => (await import('./reference/configuration.ts')).configuration,
  absent: async () => (await import('./reference/absent.ts')).absent,
  doctor: async () => (await import('./operation/doctor.ts')).doctor,
  openapi: async () => (await import('./reference/openapi.ts')).openapi,
}
