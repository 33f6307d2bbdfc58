import type { SampleName } from '../databases/contract.ts'
import { loadScript } from '../host/dump-store.ts'
import type { Session } from '../host/host.ts'
import { hasSchema } from '../host/store.ts'
import { importer } from './importer-store.ts'
import { shop } from './shop-store.ts'

const samples: Readonly<Record<SampleName, { readonly schema: string; readonly script: string }>> = {
  AdventureWorksLT: shop,
  WideWorldImportersStd: importer(5_000),
  WideWorldImportersFull: importer(60_000),
}

/** Fills a new database in one transaction, unless an earlier attempt did. */
export async function loadSample(role: Session, name: SampleName): Promise<void> {
  const { schema, script } = samples[name]
  if (!(await hasSchema(role, schema))) await loadScript(role, script)
}
