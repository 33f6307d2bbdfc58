import { implement, media, notFound, type ReadingDb } from '@icosa/kernel'
import { found, listed } from '../dialect/reply.ts'
import type { Record as Kept } from '../records/store.ts'
import { placeOf } from '../shapes/places.ts'
import { invoices as contract } from './contract.ts'
import { type InvoiceBody, invoiceRecords } from './store.ts'
import { toInvoice, toPdf } from './view.ts'

const idOf = ({ id }: Kept<InvoiceBody>) => Number(id)

async function invoiceOf(db: ReadingDb, tenant: string, user: string, id: string): Promise<Kept<InvoiceBody>> {
  const kept = await invoiceRecords.findAny(db, tenant, id)
  return kept?.user === user ? kept : notFound('invoice', id)
}

export const invoices = implement(contract, {
  async listUserInvoices({ params, query }, { db, caller }) {
    const rows = await invoiceRecords.listOfUser(db, caller.tenant, params.userID, query)
    return listed('Invoice', query, rows, toInvoice, idOf)
  },
  async getUserInvoice({ params }, { db, caller }) {
    return found('Invoice', toInvoice(await invoiceOf(db, caller.tenant, params.userID, params.itemId)))
  },
  async getInvoicePdf({ params }, { db, caller }) {
    const kept = await invoiceOf(db, caller.tenant, params.userID, params.invoiceID)
    return media('application/pdf', await toPdf(kept))
  },
  async listInvoices({ params, query }, { db, caller }) {
    const rows = await invoiceRecords.list(db, caller.tenant, placeOf(params), query)
    return listed('Invoice', query, rows, toInvoice, idOf)
  },
  async getInvoice({ params }, { db, caller }) {
    const kept = await invoiceRecords.find(db, caller.tenant, placeOf(params), params.itemId)
    return found('Invoice', toInvoice(kept ?? notFound('invoice', params.itemId)))
  },
})
