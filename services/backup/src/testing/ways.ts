import type { Calls } from './app.ts'

export const harmless = 'harmless'
/** A refused attempt matches a message; a harmless one succeeds without effect on the data. */
export type Way = readonly [name: string, attempt: () => Promise<unknown>, answer: RegExp | typeof harmless]
export const locked = /is locked/
export const notFound = /not found|was not found|does not exist|There is no/i

/** Callers and targets of the attempts. */
export interface Scene {
  readonly calls: Calls
  /** Another tenant. */
  readonly mallory: Calls
  /** The same tenant without permissions. */
  readonly powerless: Calls
  at(
    vault: string,
    through?: string,
  ): { readonly params: { readonly backupVaultName: string; readonly recoveryPointArn: string } }
  of(vault: string): { readonly params: { readonly backupVaultName: string } }
  setLifecycle(vault: string, lifecycle: object): Promise<unknown>
}

const policy = (Effect: string) =>
  JSON.stringify({ Statement: [{ Effect, Principal: '*', Action: ['backup:*'], Resource: '*' }] })

/** Attempts on every locked vault. */
export const waysOf = (vault: string, scene: Scene): Way[] => [
  [`${vault}: delete the recovery point`, () => scene.calls.DeleteRecoveryPoint(scene.at(vault)), locked],
  [
    `${vault}: delete it twenty times at once`,
    () => Promise.any(Array.from({ length: 20 }, () => scene.calls.DeleteRecoveryPoint(scene.at(vault)))),
    /All promises were rejected/,
  ],
  [`${vault}: delete it as another tenant`, () => scene.mallory.DeleteRecoveryPoint(scene.at(vault)), notFound],
  [
    `${vault}: delete it without the permission`,
    () => scene.powerless.DeleteRecoveryPoint(scene.at(vault)),
    /permission/,
  ],
  [
    `${vault}: delete it by way of another vault`,
    () => scene.calls.DeleteRecoveryPoint(scene.at(vault, 'other')),
    notFound,
  ],
  [`${vault}: shorten its retention to a day`, () => scene.setLifecycle(vault, { DeleteAfterDays: 1 }), locked],
  [
    `${vault}: shorten its retention to the minimum of the lock`,
    () => scene.setLifecycle(vault, { DeleteAfterDays: 7 }),
    locked,
  ],
  [`${vault}: remove its lifecycle`, () => scene.setLifecycle(vault, {}), locked],
  [
    `${vault}: move it to cold storage`,
    () => scene.setLifecycle(vault, { MoveToColdStorageAfterDays: 1, DeleteAfterDays: 91 }),
    locked,
  ],
  [
    `${vault}: disassociate it from its resource`,
    () => scene.calls.DisassociateRecoveryPoint(scene.at(vault)),
    /nothing to disassociate/,
  ],
  [
    `${vault}: disassociate it from a parent`,
    () => scene.calls.DisassociateRecoveryPointFromParent(scene.at(vault)),
    /nothing to disassociate/,
  ],
  [`${vault}: delete the vault`, () => scene.calls.DeleteBackupVault(scene.of(vault)), /not empty/],
  [`${vault}: delete the vault as another tenant`, () => scene.mallory.DeleteBackupVault(scene.of(vault)), notFound],
  [
    `${vault}: create the vault again`,
    () => scene.calls.CreateBackupVault({ ...scene.of(vault), body: { CreatorRequestId: 'x' } }),
    /already exists/,
  ],
  [
    `${vault}: allow everybody everything, then delete`,
    async () => {
      await scene.calls.PutBackupVaultAccessPolicy({ ...scene.of(vault), body: { Policy: policy('Allow') } })
      await scene.calls.DeleteRecoveryPoint(scene.at(vault))
    },
    locked,
  ],
  [
    `${vault}: delete its policy, then delete`,
    async () => {
      await scene.calls.DeleteBackupVaultAccessPolicy(scene.of(vault))
      await scene.calls.DeleteRecoveryPoint(scene.at(vault))
    },
    locked,
  ],
]
