import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { startSqlApp } from '../testing/app.ts'
import { idOf, tenantOf } from '../testing/tenant.ts'

test('a new database begins with a sample that belongs to its role, and only a new one', async () => {
  await using app = await startSqlApp()
  const { create, connect, read, client, of } = await tenantOf(app, 'acme')
  const sampleName = 'AdventureWorksLT'
  await create('shop', { sku: { name: 'Free' }, properties: { sampleName } })
  expect((await read('shop')).properties).toMatchObject({ status: 'Online', storageState: 'ReadWrite', sampleName })
  {
    await using session = await connect('shop')
    const { rows } = await session.query(`
      select (select count(*)::int from SalesLT.Customer) as customers,
        (select count(*)::int from SalesLT.SalesOrderHeader) as orders,
        (select bool_and(SubTotal > 0 and Freight > 0) from SalesLT.SalesOrderHeader) as complete,
        (select sum(SubTotal) from SalesLT.SalesOrderHeader) = (select sum(LineTotal) from SalesLT.SalesOrderDetail) as equal`)
    expect(rows).toEqual([{ customers: 850, orders: 2000, complete: true, equal: true }])
    await session.query('alter table saleslt.customer add column notes text; drop table saleslt.customeraddress')
  }
  expect(await create('shop', { sku: { name: 'Free' }, properties: { sampleName } })).toMatchObject({ status: 200 })
  const refused = { status: 400, body: { error: { code: 'ChangeUnsupportedOnEntity' } } }
  await expect(create('shop', { properties: { sampleName: 'WideWorldImportersStd' } })).rejects.toMatchObject(refused)
  const patch = (properties: object) => client.update({ ...of('shop'), body: { properties } })
  await expect(patch({ sampleName: 'WideWorldImportersStd' })).rejects.toMatchObject(refused)
  expect(await patch({ sampleName })).toMatchObject({ status: 200 })
  const copied = create('copy', { properties: { createMode: 'Copy', sourceDatabaseId: idOf('shop'), sampleName } })
  await expect(copied).rejects.toMatchObject({ status: 400 })
})

const importers = [
  ['WideWorldImportersStd', 5_000],
  ['WideWorldImportersFull', 60_000],
] as const

test('the samples of an importer differ in size, and every invoice is the sum of its lines', async () => {
  await using app = await startSqlApp()
  const { create, connect } = await tenantOf(app, 'acme')
  for (const [sampleName, orders] of importers.slice(0, sized(1, 2))) {
    await create(sampleName, { properties: { sampleName } })
    await using session = await connect(sampleName)
    const { rows } = await session.query(`
      select count(*)::int as orders, bool_and(totalexcludingtax = lines.total) as equal
      from Sales.Orders left join Sales.Invoices using (orderid)
        join (select orderid, sum(quantity * unitprice) as total from Sales.OrderLines group by 1) as lines using (orderid)`)
    expect(rows).toEqual([{ orders, equal: true }])
  }
})
