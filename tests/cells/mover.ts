/** A mover in a process of its own, for tests that kill it: `node mover.ts '{"directoryUrl":...}'`. Sends each state. */
import { banking } from '@icosa/banking'
import { openDatabase, sealedColumnsOf } from '@icosa/kernel'
import { testMasterKeys } from '@icosa/testing'
import { openVault } from '@icosa/tokens'
import { carryTenantKeys } from '../../apps/server/src/master-key/carry.ts'
import type { MoveCell } from '../../apps/server/src/moves/cell.ts'
import { moveTenant, type Request } from '../../apps/server/src/moves/move.ts'
import { routeOf } from '../../apps/server/src/moves/route.ts'

export interface MoverEnd {
  readonly name: string
  readonly number: number
  readonly databaseUrl: string
}

export interface MoverOptions {
  readonly directoryUrl: string
  readonly source: MoverEnd
  readonly target: MoverEnd
  readonly tenant: string
  /** Of a move that exists. */
  readonly request?: Request
}

const { directoryUrl, source, target, tenant, request }: MoverOptions = JSON.parse(process.argv[2] ?? '{}')
const services = [banking({ rates: 'none' })]
const sealed = sealedColumnsOf(services)
const open = (url: string) => openDatabase({ url, maxConnections: 4, onError: () => {} })
const vaultOf = ({ database }: Pick<MoveCell, 'database'>) =>
  openVault(database, { masterKeys: testMasterKeys, sealed: () => sealed })

function cell(end: MoverEnd): MoveCell {
  const database = open(end.databaseUrl)
  return { ...end, database, vault: async (of) => (await vaultOf({ database })).of(of) }
}

const site = async ({ database }: MoveCell) => ({ database, vault: await vaultOf({ database }) })
const directory = open(directoryUrl)
const derives = services.flatMap((service) => service.derives ?? [])
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
try {
  const options = {
    directory,
    route: routeOf(directory),
    tenant,
    cells: {
      ...{ source: cell(source), target: cell(target) },
      services: services.map(({ name, moves }) => ({ service: name, source: moves, target: moves })),
      carryKeys: async (from: MoveCell, to: MoveCell) =>
        carryTenantKeys(await site(from), await site(to), { tenant, sealed, derives }),
    },
    say: (line: string) => void process.send?.({ line }),
  }
  const move = await moveTenant(options, request)
  process.send?.({ move }, () => process.exit())
} catch (error) {
  process.send?.({ error: String((error as Error).stack) }, () => process.exit(1))
}
