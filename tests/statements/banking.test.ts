import {
  accountLabelFields,
  type BankCalls,
  bankCalls,
  type Customer,
  euros,
  idOf,
  isList,
  isMoment,
  isTextOrNull,
  isUuid,
  itemOf,
  itemsOf,
  paymentFields,
  userLabelFields,
} from './banking-calls.ts'
import { isText, isWhole } from './fields.ts'
import { statementsOf } from './statements.ts'

/** Start of a PNG of 3 by 2 pixels. */
const picture = Uint8Array.from(Buffer.from('89504e470d0a1a0a0000000d4948445200000003000000020802000000', 'hex'))
const unknownUuid = '33333333-3333-4333-8333-333333333333'

statementsOf('B', ['banking'], async (node) => {
  const calls = bankCalls(node)
  await authentication(calls)
  const ada = await calls.customer('500.00')
  const bram = await calls.customer('400.00')
  await categories(calls, ada)
  await attachments(calls, ada, bram)
  await avatars(calls, ada, bram)
  await callbackUrls(calls, ada, bram)
  await tabs(calls, ada, bram)
  await tabPayments(calls, ada, bram)
  await fundraisers(calls, ada, bram)
  await unbuiltOperations(calls, ada)
})

async function authentication({ call, get, holds, instance, refused, url }: BankCalls) {
  const { key } = instance.app.service('banking')
  const at = `${url}/banking`
  const plain = (path: string, headers = {}, method = 'GET') => fetch(at + path, { method, headers })
  const authenticated = { 'x-vendor-client-authentication': key }
  holds('a request without a key is refused', (await plain('/user')).status === 401)
  const wrong = await plain('/user', { 'x-vendor-client-authentication': 'wrong' })
  const { Error: [error] = [] } = (await wrong.json()) as { Error?: { error_description: string }[] }
  holds('a wrong key is refused', wrong.status === 401 && error?.error_description, error)
  holds('the key is in X-Vendor-Client-Authentication', (await plain('/user', authenticated)).status === 200)
  holds('the base address ends in /v1', (await plain('/v1/user', authenticated)).status === 200)
  const common = {
    ...{ 'user-agent': 'tests', 'cache-control': 'no-cache', 'x-vendor-language': 'nl_NL' },
    ...{ 'x-vendor-region': 'nl_NL', 'x-vendor-client-request-id': 'abc', 'x-vendor-geolocation': '0 0 0 0 000' },
  }
  const answer = await plain('/user', { ...authenticated, ...common })
  holds('the common headers are taken', answer.status === 200)
  holds('X-Vendor-Client-Request-Id comes back', answer.headers.get('x-vendor-client-request-id') === 'abc')
  holds('an answer has X-Vendor-Client-Response-Id', answer.headers.get('x-vendor-client-response-id'))
  holds('an answer is application/json', answer.headers.get('content-type') === 'application/json')
  const { status, json } = await get('/user')
  holds('an answer has a Response and a Pagination', status === 200 && isList(json.Response) && json.Pagination, json)
  refused('what is not an operation is not found', await get('/nonsense'), 404)
  refused('what a user does not have is not found', await get('/user/999999999/card'), 404)
  const malformed = await call('POST', '/avatar', undefined, { 'content-type': 'application/json' })
  refused('a body that is missing is refused', malformed)
}

async function categories({ fields, get, holds, identified, post, refused }: BankCalls, ada: Customer) {
  const list = `${ada.user}/additional-transaction-information-category`
  const own = `${list}-user-defined`
  const all = itemsOf(await get(list))
  holds('categories are listed', all.length > 0, all)
  fields('a category', all[0], {
    ...{ category: isText, type: 'SYSTEM', status: 'ACTIVE', order: 0, description: isText },
    ...{ description_translated: isText, color: isTextOrNull, icon: isTextOrNull },
  })
  const category = { category: 'MY_CAT', description: 'Mine', color: '#112233', icon: 'STAR', status: 'ACTIVE' }
  const id = identified('a category is made by a user', await post(own, category))
  const found = async () => itemsOf(await get(list)).find(({ category: name }) => name === 'MY_CAT')
  fields('a category of a user', await found(), { ...category, type: 'USER_DEFINED' })
  identified('a category of that name is changed', await post(own, { ...category, color: '#445566' }), id)
  holds('its change is shown', (await found())?.color === '#445566', await found())
  refused('status of a category is required', await post(own, { category: 'X' }))
  refused('status of a category is ACTIVE or DELETED', await post(own, { ...category, status: 'JUNK' }))
  identified('only status is required', await post(own, { status: 'ACTIVE' }))
  await post(own, { ...category, status: 'DELETED' })
  holds('a deleted category is not listed', (await found()) === undefined)
  const contracts = itemsOf(await get(`${ada.user}/billing-contract-subscription`))
  fields('a billing contract subscription', contracts[0], {
    ...{ id: isWhole, created: isMoment, updated: isMoment, contract_date_start: isText, contract_date_end: null },
    ...{ contract_version: isWhole, subscription_type: isText, status: 'ACTIVE', sub_status: 'NONE' },
  })
}

async function attachments(calls: BankCalls, ada: Customer, bram: Customer) {
  const { fields, get, holds, identified, refused, upload } = calls
  const created = await upload(`${ada.at}/attachment`, picture, 'image/png', 'a picture')
  const id = identified('an attachment of an account is uploaded', created)
  const record = itemOf(await get(`${ada.user}/attachment/${id}`))
  fields('an attachment', record, { id, created: isMoment, updated: isMoment })
  fields('an attachment', record?.attachment, { description: 'a picture', content_type: 'image/png', urls: isList })
  for (const path of [`${ada.user}/attachment/${id}/content`, `${ada.at}/attachment/${id}/content`]) {
    const content = await get(path)
    const isSame = content.bytes.equals(Buffer.from(picture)) && content.headers.get('content-type') === 'image/png'
    holds(`${path.replace(/\d+/g, '0')} is the file`, isSame, content.status)
  }
  refused('an attachment is of its user', await get(`${bram.user}/attachment/${id}`), 404)
  refused('an empty attachment is refused', await upload(`${ada.at}/attachment`, new Uint8Array(), 'image/png'))
  const shared = await upload('/attachment-public', picture, 'image/png', 'for all')
  const publicId = identified('a public attachment is uploaded', shared)
  const { uuid } = shared.json.Response[0].Uuid
  for (const name of [publicId, uuid]) {
    const known = itemOf(await get(`/attachment-public/${name}`))
    const shown = { uuid, created: isMoment, updated: isMoment }
    const by = `a public attachment by its ${name === uuid ? 'uuid' : 'id'}`
    fields(by, known, shown)
    fields(by, known?.attachment, { description: 'for all', content_type: 'image/png', urls: isList })
  }
  const content = await get(`/attachment-public/${uuid}/content`)
  holds('the content of a public attachment is the file', content.bytes.equals(Buffer.from(picture)), content.status)
  refused('a public attachment that is missing is not found', await get(`/attachment-public/${unknownUuid}`), 404)
}

async function avatars(calls: BankCalls, ada: Customer, bram: Customer) {
  const { balance, fields, get, holds, post, put, refused, succeeds, upload } = calls
  const { uuid: picturesUuid } = (await upload('/attachment-public', picture, 'image/png')).json.Response[0].Uuid
  const text = await upload('/attachment-public', Uint8Array.from(Buffer.from('hello')), 'text/plain')
  const image = { attachment_public_uuid: picturesUuid, content_type: 'image/png', height: 2, width: 3 }
  const own = { anchor_uuid: '11111111-1111-4111-8111-111111111111', style: 'ICON' }
  const uuid = '22222222-2222-4222-8222-222222222222'
  const created = await post('/avatar', { ...own, uuid, image: [{ ...image, height: 900, width: 900 }] })
  holds('an avatar is made, with the uuid that it was given', itemOf(created)?.uuid === uuid, created.text)
  const avatar = { ...own, uuid, image: [image] }
  fields('an avatar, with the size of its picture', itemOf(await get(`/avatar/${uuid}`)), avatar)
  const simple = await post('/avatar', { attachment_public_uuid: picturesUuid })
  holds('an avatar has a uuid of its own if it was given none', isUuid(itemOf(simple)?.uuid), simple.text)
  refused('a uuid is of one avatar', await post('/avatar', { uuid, image: [image] }))
  refused('an avatar has a picture', await post('/avatar', {}))
  const unknown = { attachment_public_uuid: unknownUuid }
  refused('the picture of an avatar is a public attachment', await post('/avatar', unknown))
  const { uuid: textUuid } = text.json.Response[0].Uuid
  refused('a text is not a picture', await post('/avatar', { attachment_public_uuid: textUuid }))
  refused('an avatar that is missing is not found', await get(`/avatar/${unknownUuid}`), 404)

  const accountAt = `${ada.user}/monetary-account-bank/${ada.account}`
  succeeds('an account gets an avatar', await put(accountAt, { avatar_uuid: uuid }))
  succeeds('a user gets an avatar', await put(`/user-person/${ada.id}`, { avatar_uuid: uuid }))
  refused('an avatar that is missing is refused', await put(accountAt, { avatar_uuid: unknownUuid }))
  holds('an account shows its avatar', itemOf(await get(accountAt)).avatar?.uuid === uuid)
  holds('a user shows its avatar', itemOf(await get(`/user-person/${ada.id}`)).avatar?.uuid === uuid)
  const before = await balance(bram)
  await post(`${ada.at}/payment`, {
    ...{ amount: euros('0.01'), counterparty_alias: bram.pointer, description: 'Tea' },
  })
  const { counterparty_alias: label } = itemOf(await get(`${bram.at}/payment`))
  holds('the label of an account shows its avatar', label?.avatar?.uuid === uuid, [before, label])
  holds('the label of a user shows its avatar', label?.label_user?.avatar?.uuid === uuid, label)
  for (const path of [accountAt, `/user-person/${ada.id}`]) await put(path, { avatar_uuid: null })
  await post(`${bram.at}/payment`, {
    ...{ amount: euros('0.01'), counterparty_alias: ada.pointer, description: 'Back' },
  })
}

async function callbackUrls(calls: BankCalls, ada: Customer, bram: Customer) {
  const { call, fields, get, holds, identified, post, put, refused } = calls
  const client = identified('an OAuth client is made', await post(`${ada.user}/oauth-client`, { status: 'ACTIVE' }))
  const at = `${ada.user}/oauth-client/${client}/callback-url`
  const id = identified('a callback URL is made', await post(at, { url: 'https://example.org/back' }))
  const one = `${at}/${id}`
  fields('a callback URL', itemOf(await get(one)), { id, url: 'https://example.org/back', created: isMoment })
  const listed = async () => itemsOf(await get(at)).map(({ url }) => url)
  holds('callback URLs are listed', (await listed()).join() === 'https://example.org/back', await listed())
  identified('a callback URL is changed', await put(one, { url: 'https://example.org/else' }), id)
  holds('its change is shown', itemOf(await get(one)).url === 'https://example.org/else')
  refused('url is required to make one', await post(at, {}))
  refused('url is required to change one', await put(one, {}))
  refused('url is an address', await post(at, { url: 'nothing' }))
  refused('it is of its user', await get(one.replace(ada.user, bram.user)), 404)
  const removed = await call('DELETE', one)
  holds('a callback URL is deleted, with an empty answer', removed.json?.Response?.length === 0, removed.text)
  refused('a deleted callback URL is not found', await get(one), 404)
  refused('one that is missing is not changed', await put(one, { url: 'https://example.org/' }), 404)
  refused('one that is missing is not deleted', await call('DELETE', one), 404)
}

async function tabs(calls: BankCalls, ada: Customer, bram: Customer) {
  const { fields, get, holds, identified, post, put, refused } = calls
  const at = `${ada.at}/vendorme-tab`
  const entry = { amount_inquired: euros('12.34'), description: 'Lunch', redirect_url: 'https://example.org/ok' }
  const body = { vendorme_tab_entry: entry, status: 'WAITING_FOR_PAYMENT', event_id: 1 }
  const id = identified('a tab is made', await post(at, body))
  const tab = itemOf(await get(`${at}/${id}`))
  fields('a tab', tab, {
    ...{ id, created: isMoment, updated: isMoment, time_expiry: isMoment, monetary_account_id: ada.account },
    ...{ status: 'WAITING_FOR_PAYMENT', type: 'VENDORME_TAB', event_id: 1, result_inquiries: [] },
    vendorme_tab_share_url: (value: string) => value.startsWith('http'),
    vendorme_tab_entries: (value: unknown[]) => value.length === 1,
  })
  const shown = { ...entry, uuid: isUuid, status: 'WAITING_FOR_PAYMENT', merchant_available: [] }
  fields('the entry of a tab', tab.vendorme_tab_entry, { ...shown, invite_profile_name: null })
  fields('the label of an account', tab.alias_monetary_account, accountLabelFields(ada))
  fields('the label of a user', tab.alias_monetary_account?.label_user, userLabelFields)
  holds('alias of an entry is the account', tab.vendorme_tab_entry.alias.iban === ada.iban, tab)
  const list = await get(at)
  holds('tabs are listed', list.json.Response.length === 1 && list.json.Pagination, list.text)
  refused('vendorme_tab_entry of a tab is required', await post(at, {}))
  refused('so is its amount_inquired', await post(at, { vendorme_tab_entry: {} }))
  const asking = (amount: object) => ({ vendorme_tab_entry: { ...entry, amount_inquired: amount } })
  refused('an amount below zero is refused', await post(at, asking(euros('-1.00'))))
  refused('an amount of zero is refused', await post(at, asking(euros('0.00'))))
  refused('an amount in another currency is refused', await post(at, asking({ value: '1.00', currency: 'USD' })))
  const changed = { amount_inquired: euros('20.00'), description: 'Dinner', redirect_url: 'https://example.org/2' }
  identified('a tab is changed', await put(`${at}/${id}`, { vendorme_tab_entry: changed, event_id: 2 }), id)
  const after = itemOf(await get(`${at}/${id}`))
  fields('the entry of a changed tab', after.vendorme_tab_entry, changed)
  holds('event_id of a tab is changed', after.event_id === 2, after)
  refused('a status that is none is refused', await put(`${at}/${id}`, { status: 'JUNK' }))
  refused('a tab is of its account', await get(`${bram.at}/vendorme-tab/${id}`), 404)
  identified('a tab is cancelled', await put(`${at}/${id}`, { status: 'CANCELLED' }), id)
  holds('a cancelled tab says so', itemOf(await get(`${at}/${id}`)).status === 'CANCELLED')
  refused('a cancelled tab is not changed', await put(`${at}/${id}`, { vendorme_tab_entry: changed }))
  refused('a missing tab is not found', await get(`${at}/999999999`), 404)
}

/** Pays on a page as a browser does: sends the key, then submits the confirmation. */
async function payOn({ page: call }: BankCalls, url: string, key: string, amount = '') {
  const response = await call(url)
  const confirmation = await call(url, { method: 'POST', form: { key, amount, step: 'continue' } })
  const inputs = confirmation.text.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)
  const form = { key, amount, ...Object.fromEntries(inputs.map(([, name, value]) => [name, value])), step: 'confirm' }
  const paid = await call(url, { method: 'POST', form })
  const again = await call(url, { method: 'POST', form })
  return { asked: response, paid, again }
}

async function tabPayments(calls: BankCalls, ada: Customer, bram: Customer) {
  const { balance, fields, get, holds, post, refused } = calls
  const entry = { amount_inquired: euros('12.34'), description: 'Lunch', redirect_url: 'https://example.org/ok' }
  const id = idOf(await post(`${ada.at}/vendorme-tab`, { vendorme_tab_entry: entry }))
  const at = `${ada.at}/vendorme-tab/${id}`
  const url = itemOf(await get(at)).vendorme_tab_share_url
  const { asked: response, paid, again } = await payOn(calls, url, bram.key)
  holds('the share URL of a tab asks for its amount', response.text.includes('12.34'), response.status)
  holds('a tab is paid on its page', paid.status === 200, paid.text)
  holds('a tab is paid once', again.status === 410, again.status)
  holds('the money moves', (await balance(ada)) === '512.34' && (await balance(bram)) === '387.66')
  const tab = itemOf(await get(at))
  const [inquiry] = tab.result_inquiries
  holds('a paid tab says so', tab.status === 'PAID' && tab.result_inquiries.length === 1, tab)
  fields('the payment of a result inquiry', inquiry?.payment, paymentFields('12.34', ada, 'VENDORME'))
  const result = await get(`${bram.at}/vendorme-tab-result-response/${inquiry?.id}`)
  fields('the payment of a tab result response', itemOf(result)?.payment, paymentFields('-12.34', bram, 'VENDORME'))
  const event = itemsOf(await get(`${bram.user}/event`)).find(({ object }) => object.VendorMeTabResultResponse)
  holds('the event of its payer has its id', event?.object.VendorMeTabResultResponse.id === inquiry?.id, event)
  refused('a result is of its payer', await get(`${ada.at}/vendorme-tab-result-response/${inquiry?.id}`), 404)
}

async function fundraisers(calls: BankCalls, ada: Customer, bram: Customer) {
  const { balance, fields, get, holds, identified, post, refused } = calls
  const at = `${ada.user}/vendorme-fundraiser-profile`
  const profile = { monetary_account_id: ada.account, description: 'Help', color: '#aabbcc' }
  const id = identified('funds are raised', await post(at, { ...profile, redirect_url: 'https://example.org/' }))
  const shown = itemOf(await get(`${at}/${id}`))
  const isAlias = (value: { iban: string }) => value?.iban === ada.iban
  const common = {
    ...{ color: '#aabbcc', alias: isAlias, currency: 'EUR', description: 'Help', attachment: null },
    ...{ redirect_url: 'https://example.org/', status: 'ACTIVE' },
  }
  fields('a fundraiser profile', shown, { ...profile, ...common, owner_user_id: ada.id })
  const pointer = { type: 'URL', value: isText, name: isText, service: null }
  fields('the pointer of a fundraiser profile', shown?.pointer, pointer)
  const list = itemsOf(await get(at))
  holds('fundraiser profiles are listed', list.length === 1 && list[0].description === 'Help', list)
  refused('a missing profile is not found', await get(`${at}/999999999`), 404)
  const before = await balance(ada)
  const { paid } = await payOn(calls, shown.pointer.value, bram.key, '7,00')
  const raised = Number(await balance(ada)) - Number(before)
  holds(
    'a fundraiser takes any amount, once for each form',
    paid.status === 200 && raised.toFixed(2) === '7.00',
    raised,
  )
  const result = itemOf(await get(`${ada.at}/vendorme-fundraiser-result/${id}`))
  fields('a fundraiser result', result, { id: isWhole, created: isMoment, updated: isMoment })
  fields('the profile of a fundraiser result', result?.vendorme_fundraiser_profile, {
    ...{ ...common, invite_profile_name: null, merchant_available: [], pointer: shown.pointer },
  })
  holds('a fundraiser result has its payments', result?.payments?.[0]?.Payment?.amount?.value === '7.00', result)
  const same = itemOf(await get(`${ada.at}/vendorme-fundraiser-result/${result?.id}`))
  holds('a fundraiser result is found by its own id, too', same?.id === result?.id, same)
  refused('it is of its account', await get(`${bram.at}/vendorme-fundraiser-result/${id}`), 404)
}

async function unbuiltOperations({ get, post, unbuilt }: BankCalls, ada: Customer) {
  for (const path of [
    ...['schedule', 'limit', 'insights', 'payment-auto-allocate', 'credential-password-ip', 'notification-filter-push'],
    ...[
      'notification-filter-email',
      'share-invite-monetary-account-response',
      'whitelist-sdd',
      'reward',
      'tree-progress',
    ],
  ])
    unbuilt(`GET ${path} of a user is not supported`, await get(`${ada.user}/${path}`), path)
  for (const path of ['schedule-payment-batch', 'share-invite-monetary-account-inquiry', 'ideal-merchant-transaction'])
    unbuilt(`POST ${path} of an account is not supported`, await post(`${ada.at}/${path}`), path)
}
