import { notes, usersAndAccounts } from './banking-accounts.ts'
import {
  accountLabelFields,
  type BankCalls,
  bankCalls,
  type Customer,
  euros,
  idOf,
  isMoment,
  itemOf,
  itemsOf,
  paymentFields,
  payTo,
} from './banking-calls.ts'
import { callbacks, sessions } from './banking-sessions.ts'
import { type Answer, statementsOf, until } from './statements.ts'

statementsOf('B payments', ['banking'], async (node) => {
  const calls = bankCalls(node)
  const ada = await calls.customer('500.00')
  const bram = await calls.customer(undefined, 'company')
  await payments(calls, ada, bram)
  await pages(calls, ada, bram)
  await batchesAndDrafts(calls, ada, bram)
  await requests(calls, ada, bram)
  await notes(calls, ada, bram)
  await usersAndAccounts(calls, ada, bram)
  await sessions(calls, ada, bram)
  await callbacks(calls, ada, bram)
  await concurrency(calls, bram)
  await time(calls, ada, bram) // last, since it moves the clock
})

async function payments(calls: BankCalls, ada: Customer, bram: Customer) {
  const { balance, fields, get, holds, identified, post, refused, upload } = calls
  const at = `${ada.at}/payment`
  holds('the sugar daddy of the sandbox pays a request', (await balance(ada)) === '500.00', await balance(ada))
  const { json: file } = await upload(`${ada.at}/attachment`, Uint8Array.from(Buffer.from('hello')), 'text/plain')
  const attachment = [{ id: file.Response[0].Id.id }]
  const place = { 'x-vendor-geolocation': '4.89 53.2 12 100 NL' }
  const body = payTo(bram, '10.50', { merchant_reference: 'mr1', attachment })
  const id = identified('a payment is made', await post(at, body, place))
  const payment = itemOf(await get(`${at}/${id}`))
  fields('a payment', payment, { ...paymentFields('-10.50', ada), merchant_reference: 'mr1', attachment })
  holds('balance_after_mutation is the balance then', payment?.balance_after_mutation.value === '489.50', payment)
  const geolocation = { longitude: '4.89', latitude: '53.2', altitude: '12', radius: 100 }
  fields('geolocation of a payment', payment?.geolocation, geolocation)
  fields('alias of a payment', payment?.alias, accountLabelFields(ada))
  fields('counterparty_alias of a payment', payment?.counterparty_alias, accountLabelFields(bram))
  const received = itemOf(await get(`${bram.at}/payment`))
  fields('a payment as the payee sees it', received, { amount: euros('10.50'), description: 'Tea', geolocation: null })
  const wrong = {
    ...{ 'more than there is': '99999.00', zero: '0.00', 'below zero': '-5.00', 'half a cent': '1.005' },
    ...{ 'no number': 'abc', 'a comma': '1,00' },
  }
  for (const [what, value] of Object.entries(wrong))
    refused(`an amount that is ${what} is refused`, await post(at, payTo(bram, value)))
  const to = (type: string, value: string) =>
    post(at, { ...payTo(bram, '1.00'), counterparty_alias: { type, value, name: 'Somebody' } })
  refused('an IBAN whose digits do not check is refused', await to('IBAN', 'NL00XXXX0000000000'))
  refused('an address that nobody has is refused', await to('EMAIL', 'nobody@example.org'))
  refused('nobody pays the account itself', await to('IBAN', ada.iban))
  refused('a type of pointer that is none is refused', await to('FAX', '1'))
  identified('a payment goes to an e-mail address', await to('EMAIL', bram.email))
  identified('a payment goes to an IBAN of another bank', await to('IBAN', 'NL91ABNA0417164300'))
  refused(
    'a currency that the account has not is refused',
    await post(at, { ...body, amount: { value: '1.00', currency: 'USD' } }),
  )
  refused(
    'a description of 141 letters is refused',
    await post(at, payTo(bram, '1.00', { description: 'd'.repeat(141) })),
  )
  refused('an unknown field is refused', await post(at, payTo(bram, '1.00', { bogus: 1 })))
  refused(
    'an attachment that is missing is refused',
    await post(at, payTo(bram, '1.00', { attachment: [{ id: 999_999 }] })),
  )
  for (const name of ['amount', 'counterparty_alias', 'description'])
    refused(`a payment needs ${name}`, await post(at, payTo(bram, '1.00', { [name]: undefined })))
  const before = Number(await balance(ada))
  const same = { 'x-vendor-client-request-id': 'same' }
  const twice = await Promise.all([0, 1].map(() => post(at, payTo(bram, '2.00'), same)))
  const isOne = idOf(twice[0] as Answer) === idOf(twice[1] as Answer)
  const paid = (before - Number(await balance(ada))).toFixed(2)
  holds('one request id is one payment', isOne && paid === '2.00', paid)
  refused('with other parameters a request id is refused', await post(at, payTo(bram, '3.00'), same))
  refused('a payment is of its account', await get(`${bram.at}/payment/${id}`), 404)
  refused('an account is of its user', await get(`${ada.user}/monetary-account/${bram.account}`), 404)
}

async function pages({ get, holds, post, refused }: BankCalls, ada: Customer, bram: Customer) {
  for (let nth = 0; nth < 8; nth++) await post(`${ada.at}/payment`, payTo(bram, '0.01'))
  const page = async (query: string) => {
    const { json } = await get(`${ada.at}/payment${query}`)
    return { ids: itemsOf({ json }).map(({ id }) => id), links: json.Pagination }
  }
  const first = await page('?count=3')
  holds('a page has as many as count', first.ids.length === 3, first)
  holds('the newest comes first', first.ids.join() === first.ids.toSorted((id, other) => other - id).join(), first)
  const names = Object.keys(first.links).sort().join()
  holds('a page has future_url, newer_url and older_url', names === 'future_url,newer_url,older_url', names)
  const older = new URL(first.links.older_url, 'http://x')
  holds('older_url begins with the version', older.pathname === `/v1${ada.at}/payment`, older.pathname)
  const second = await page(older.search)
  holds('older_url is the next page', second.ids.length === 3 && second.ids[0] < first.ids[2], second)
  const back = await page(new URL(second.links.newer_url, 'http://x').search)
  holds('newer_url is the page before', back.ids.join() === first.ids.join(), back)
  holds('a page has ten unless count says more', (await page('')).ids.length === 10)
  for (const count of ['0', '201', 'x'])
    refused(`count=${count} is refused`, await get(`${ada.at}/payment?count=${count}`))
}

async function batchesAndDrafts(calls: BankCalls, ada: Customer, bram: Customer) {
  const { balance, fields, get, holds, identified, post, put, refused } = calls
  const batches = `${ada.at}/payment-batch`
  const many = (...values: string[]) => ({ payments: values.map((value) => payTo(bram, value)) })
  const batch = identified('a batch of payments is made', await post(batches, many('0.10', '0.20')))
  const paid: { amount: { value: string }; batch_id: number }[] =
    itemOf(await get(`${batches}/${batch}`))?.payments?.Payment ?? []
  const values = paid.map(({ amount, batch_id }) => `${amount.value} ${batch_id}`).join()
  holds('its payments have its batch_id', values === `-0.10 ${batch},-0.20 ${batch}`, values)
  const before = await balance(ada)
  refused('a batch with one payment too large is refused', await post(batches, many('0.10', '99999.00')))
  holds('and none of its payments is made', (await balance(ada)) === before)

  const at = `${ada.at}/draft-payment`
  const body = { entries: [payTo(bram, '1.00')], number_of_required_accepts: 1 }
  const draft = identified('a draft is made', await post(at, body))
  const read = async (id = draft) => itemOf(await get(`${at}/${id}`))
  fields('a draft', await read(), {
    ...{ id: draft, monetary_account_id: ada.account, status: 'PENDING', number_of_required_accepts: 1 },
    ...{ schedule: null, payments: [], created: isMoment },
  })
  holds('a draft moves no money', (await balance(ada)) === before)
  refused('a draft is accepted by one', await post(at, { ...body, number_of_required_accepts: 2 }))
  const stale = { status: 'ACCEPTED', previous_updated_timestamp: '2000-01-01 00:00:00.000000' }
  refused('a draft that was changed meanwhile is not accepted', await put(`${at}/${draft}`, stale))
  identified('a draft is accepted', await put(`${at}/${draft}`, { status: 'ACCEPTED' }), draft)
  const { status, payments: created } = await read()
  const spent = (Number(before) - Number(await balance(ada))).toFixed(2)
  holds('an accepted draft is paid', status === 'ACCEPTED' && created.length === 1 && spent === '1.00', spent)
  refused('an accepted draft is not rejected', await put(`${at}/${draft}`, { status: 'REJECTED' }))
  const schedule = {
    time_start: '2099-01-01 10:00:00.000000',
    time_end: null,
    recurrence_unit: 'MONTHLY',
    recurrence_size: 1,
  }
  const later = idOf(await post(at, { ...body, schedule }))
  fields('a draft with a schedule', await read(later), { schedule })
  const then = await balance(ada)
  await put(`${at}/${later}`, { status: 'ACCEPTED' })
  const { payments: none, scheduled_payments: scheduled } = await read(later)
  const isLater = none.length === 0 && scheduled.length === 1 && (await balance(ada)) === then
  holds('a draft with a schedule is paid by its schedule', isLater, scheduled)
}

async function requests(calls: BankCalls, ada: Customer, bram: Customer) {
  const { balance, fields, get, holds, identified, post, put, refused } = calls
  const at = `${bram.at}/request-inquiry`
  const ask = (value: string, to: object = ada.pointer) => ({
    ...{ amount_inquired: euros(value), counterparty_alias: to, description: 'Invoice', allow_vendorme: false },
    ...{ minimum_age: 18, require_address: 'NONE', redirect_url: 'https://example.org/', merchant_reference: 'm' },
  })
  const id = identified('money is asked for', await post(at, ask('5.00', { type: 'EMAIL', value: ada.email })))
  const inquiry = async (one = id) => itemOf(await get(`${at}/${one}`))
  fields('a request', await inquiry(), {
    ...{ id, created: isMoment, updated: isMoment, monetary_account_id: bram.account, status: 'PENDING' },
    ...{ amount_inquired: euros('5.00'), amount_responded: null, description: 'Invoice', time_responded: null },
    ...{ minimum_age: 18, require_address: 'NONE', redirect_url: 'https://example.org/', merchant_reference: 'm' },
    ...{ batch_id: null, scheduled_id: null, vendorme_share_url: null, address_billing: null, address_shipping: null },
    ...{ geolocation: null, reference_split_the_bill: null, attachment: [], allow_vendorme: false },
    counterparty_alias: ({ iban }: { iban: string }) => iban === ada.iban,
  })
  const response = itemOf(await get(`${ada.at}/request-response`))
  fields('a request as the payer sees it', response, { amount_inquired: euros('5.00'), status: 'PENDING' })
  const own = `${ada.at}/request-response/${response?.id}`
  refused('a request is paid as a whole', await put(own, { status: 'ACCEPTED', amount_responded: euros('2.00') }))
  const before = Number(await balance(bram))
  const accepted = await put(own, { status: 'ACCEPTED', amount_responded: euros('5.00') })
  holds('a request is accepted', itemOf(accepted)?.status === 'ACCEPTED', accepted.text)
  const received = (Number(await balance(bram)) - before).toFixed(2)
  const isPaid = received === '5.00' && (await inquiry()).status === 'ACCEPTED'
  holds('an accepted request is paid', isPaid, await inquiry())
  refused('a request is accepted once', await put(own, { status: 'ACCEPTED' }))
  const second = idOf(await post(at, ask('5.00')))
  const revoked = await put(`${at}/${second}`, { status: 'REVOKED' })
  holds('a request is revoked', itemOf(revoked)?.status === 'REVOKED', revoked.text)
  const third = idOf(await post(at, ask('5.00')))
  const open = itemsOf(await get(`${ada.at}/request-response`)).find(({ status }) => status === 'PENDING')
  await put(`${ada.at}/request-response/${open?.id}`, { status: 'REJECTED' })
  holds('a request is rejected', (await inquiry(third)).status === 'REJECTED', await inquiry(third))
  refused(
    'nobody is asked who is not here',
    await post(at, ask('5.00', { type: 'EMAIL', value: 'nobody@example.org' })),
  )
  const sugar = { type: 'EMAIL', value: 'sugardaddy@vendor.example' }
  const poor = await balance(bram)
  await post(at, ask('501.00', sugar))
  holds('the sugar daddy gives at most 500', (await balance(bram)) === poor, poor)
}

async function concurrency(calls: BankCalls, bram: Customer) {
  const { balance, customer, holds, post } = calls
  const payer = await customer('500.00')
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, nth) =>
      post(`${payer.at}/payment`, payTo(bram, '100.00', { description: `${nth}` })),
    ),
  )
  const paid = all.filter(({ status }) => status === 200).length
  holds('of twenty payments at once only those are made for which there is money', paid === 5, paid)
  holds('and the account is empty', (await balance(payer)) === '0.00', await balance(payer))
}

async function time(calls: BankCalls, ada: Customer, bram: Customer) {
  const { balance, fields, get, holds, identified, instance, post, refused } = calls
  const { clock } = instance.app
  const start = await clock.now()
  const inDays = (days: number) =>
    `${new Date(start.getTime() + days * 86_400_000).toISOString().replace('T', ' ').slice(0, 19)}.000000`
  const at = `${ada.at}/schedule-payment`
  const scheduled = (value: string, schedule: object) => ({
    payment: payTo(bram, value),
    schedule: { recurrence_size: 1, ...schedule },
  })
  const daily = { time_start: inDays(0.5), time_end: inDays(3.7), recurrence_unit: 'DAILY' }
  const id = identified('a payment is scheduled', await post(at, scheduled('1.00', daily)))
  const read = async (one = id) => itemOf(await get(`${at}/${one}`))
  const isOrder = ({ amount }: { amount: object }) => JSON.stringify(amount) === JSON.stringify(euros('1.00'))
  fields('a scheduled payment', await read(), {
    id,
    monetary_account_id: ada.account,
    status: 'ACTIVE',
    payment: isOrder,
  })
  fields('its schedule', (await read()).schedule, { ...daily, recurrence_size: 1, status: 'ACTIVE' })
  const only = idOf(
    await post(at, scheduled('2.00', { time_start: inDays(0.5), time_end: null, recurrence_unit: 'ONCE' })),
  )
  for (const unit of ['HOURLY', 'WEEKLY', 'MONTHLY', 'YEARLY'])
    identified(
      `a schedule may be ${unit}`,
      await post(at, scheduled('0.01', { time_start: '2099-01-31 10:00:00', recurrence_unit: unit })),
    )
  const junk = { time_start: inDays(1), recurrence_unit: 'JUNK' }
  refused('a schedule has a unit that is one', await post(at, scheduled('0.01', junk)))
  const past = { time_start: '2020-01-31 10:00:00', recurrence_unit: 'ONCE' }
  refused('a schedule does not begin in the past', await post(at, scheduled('0.01', past)))
  const tab = idOf(await post(`${ada.at}/vendorme-tab`, { vendorme_tab_entry: { amount_inquired: euros('1.00') } }))

  const statement = { date_start: inDays(-1).slice(0, 10), date_end: inDays(0).slice(0, 10) }
  const kinds = { CSV: 'text/csv', MT940: 'text/plain', PDF: 'application/pdf' }
  for (const [statement_format, type] of Object.entries(kinds)) {
    const one = idOf(await post(`${ada.at}/customer-statement`, { ...statement, statement_format }))
    const isDone = await until(async () => {
      return itemOf(await get(`${ada.at}/customer-statement/${one}`))?.status === 'COMPLETED'
    })
    const content = await get(`${ada.at}/customer-statement/${one}/content`)
    const isRead = content.headers.get('content-type')?.startsWith(type) && content.bytes.length > 100
    holds(`a statement is written as ${statement_format}`, isDone && isRead, content.status)
  }
  refused(
    'a format that is none is refused',
    await post(`${ada.at}/customer-statement`, { ...statement, statement_format: 'JUNK' }),
  )

  const before = Number(await balance(ada))
  await clock.advance('5d')
  const instances = `${ada.at}/schedule/${id}/schedule-instance`
  const isPaid = await until(
    async () => (await read()).status === 'FINISHED' && (await read(only)).status === 'FINISHED',
  )
  const states = itemsOf(await get(instances)).map(({ state }) => state)
  const areDone = states.length === 4 && states.every((state) => state === 'FINISHED_SUCCESSFULLY')
  holds('a schedule pays whenever it is due, until its end', isPaid && areDone, states)
  const spent = (before - Number(await balance(ada))).toFixed(2)
  holds('what was scheduled is paid', spent === '6.00', spent)
  const [last] = itemsOf(await get(`${ada.at}/payment`))
  holds('a scheduled payment has scheduled_id', last.scheduled_id === id || last.scheduled_id === only, last)
  await clock.advance('30d')
  const isExpired = itemOf(await get(`${ada.at}/vendorme-tab/${tab}`)).status === 'EXPIRED'
  holds('a tab expires after thirty days', isExpired)
}
