import { type Database, sealedColumnsOf } from '@icosa/kernel'
import { type OpenedVault, openVault } from '@icosa/tokens'
import type { Config } from './config.ts'
import { settledConfig } from './dev/settings.ts'
import { openMasterKeys } from './master-key/tokens.ts'
import { allServices } from './services.ts'

/** Sealed columns of every service, also of those that a node does not run. */
export const allSealed = async () => sealedColumnsOf(await allServices())

/** Purposes for which any service derives keys of a tenant. */
export const allDerives = async () => (await allServices()).flatMap(({ derives = [] }) => derives)

/** The nodes' master keys, including those wrapped by tokens. */
export async function masterKeysOf(config: Config, database: Database): Promise<Uint8Array[]> {
  const { masterKeys, masterKeyEnvironment } = await settledConfig(config)
  return openMasterKeys(database, masterKeys, masterKeyEnvironment)
}

/** Opens the nodes' vault for a command. */
export async function vaultOf(config: Config, database: Database): Promise<OpenedVault> {
  return openVault(database, { masterKeys: await masterKeysOf(config, database), sealed: allSealed })
}
