import { type Database, sealedColumnsOf } from '@icosa/kernel'
import { type OpenedVault, openVault } from '@icosa/tokens'
import type { Config } from './config.ts'
import { settledConfig } from './dev/settings.ts'
import { allServices } from './services.ts'

/** Of every service, also of those that a node does not run. */
export const allSealed = async () => sealedColumnsOf(await allServices())

/** The vault of the nodes, for a command. */
export async function vaultOf(config: Config, database: Database): Promise<OpenedVault> {
  const { masterKeys } = await settledConfig(config)
  return openVault(database, { masterKeys, sealed: allSealed })
}
