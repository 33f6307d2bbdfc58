import { implement, media, notFound, type ReadingDb } from '@icosa/kernel'
import { itemReply, listed } from '../dialect/reply.ts'
import type { Stored } from '../documents/store.ts'
import { placeOf } from '../shapes/places.ts'
import { invoices as contract } from './contract.ts'
import { type InvoiceBody, invoiceStore } from './store.ts'
import { toInvoice, toPdf } from './view.ts'

const idOf = ({ id }: Stored<InvoiceBody>) => Number(id)

async function invoiceOf(db: ReadingDb, tenant: string, user: string, id: string): Promise<Stored<InvoiceBody>> {
  const invoice = await invoiceStore.findAny(db, tenant, id)
  return invoice?.user === user ? invoice : notFound('invoice', id)
}

export const invoices = implement(contract, {
  async listUserInvoices({ params, query }, { db, caller }) {
    const rows = await invoiceStore.listOfUser(db, caller.tenant, params.userID, query)
    return listed('Invoice', query, rows, toInvoice, idOf)
  },
  async getUserInvoice({ params }, { db, caller }) {
    return itemReply('Invoice', toInvoice(await invoiceOf(db, caller.tenant, params.userID, params.itemId)))
  },
  async getInvoicePdf({ params }, { db, caller }) {
    const invoice = await invoiceOf(db, caller.tenant, params.userID, params.invoiceID)
    return media('application/pdf', await toPdf(invoice))
  },
  async listInvoices({ params, query }, { db, caller }) {
    const rows = await invoiceStore.list(db, caller.tenant, placeOf(params), query)
    return listed('Invoice', query, rows, toInvoice, idOf)
  },
  async getInvoice({ params }, { db, caller }) {
    const invoice = await invoiceStore.find(db, caller.tenant, placeOf(params), params.itemId)
    return itemReply('Invoice', toInvoice(invoice ?? notFound('invoice', params.itemId)))
  },
})
