import type { Db, OpenVault, Service, Vault } from '@icosa/kernel'

/** Fails when a key of a tenant is derived for a purpose that no service lists: a move of the tenant would lose it. */
export const withDeclaredPurposes =
  (openVault: OpenVault, services: readonly Service[]): OpenVault =>
  async (database) => {
    const listed = new Set(services.flatMap(({ derives = [] }) => derives))
    const check = (vault: Vault): Vault => ({
      ...vault,
      derive(purpose) {
        if (!listed.has(purpose)) throw new Error(`List '${purpose}' in \`derives\` of its service.`)
        return vault.derive(purpose)
      },
    })
    const vault = await openVault(database)
    return {
      ...vault,
      of: async (tenant: string, transaction?: Db) => check(await vault.of(tenant, transaction)),
      find: async (tenant: string) => check(await vault.find(tenant)),
    }
  }
