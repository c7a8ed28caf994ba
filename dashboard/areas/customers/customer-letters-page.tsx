import type { CustomerLetter } from '../../../contract/dashboard/customers-api.ts'
import { Empty } from '../../kit/empty.tsx'
import { usePathParam } from '../../kit/links.tsx'
import { List } from '../../kit/list.tsx'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import { useLetterColumns } from './letter-columns.tsx'
import { CUSTOMER_TEXTS } from './texts/texts.ts'

/** Every letter to a customer. */
export default function CustomerLettersPage() {
  const t = useTexts(CUSTOMER_TEXTS)
  const id = usePathParam('customer')
  const customer = useRead('GET /customers/{id}', { params: { id } }).data
  const name = customer?.name ?? customer?.email ?? t.unnamed
  return (
    <Page
      title={t.letters}
      breadcrumbs={[
        { label: t.title, to: 'customers' },
        { label: name, to: `customers/${id}` },
      ]}
    >
      <List<CustomerLetter>
        name="GET /customers/{id}/letters"
        params={{ id }}
        caption={t.letters}
        columns={useLetterColumns('GET /customers/{id}/letters')}
        empty={<Empty kind="nothing" title={t.noLetters} text={t.noLettersText} />}
      />
    </Page>
  )
}
