import { focusFirst } from '../../kit/first-focus.ts'
import { AppLink } from '../../kit/links.tsx'
import { Modal } from '../../kit/modal.tsx'
import { useMoney } from '../../kit/money.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { ScrollingTable } from '../../kit/scrolling.tsx'
import { useTexts } from '../../kit/texts.ts'
import { useDayText } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'

interface DayDialogProps {
  /** `null` while the dialog is closed. */
  day: string | null
  product: string | undefined
  onClose(): void
}

/** The subscriptions behind the counts of a day. */
export function DayDialog({ day, product, onClose }: DayDialogProps) {
  const t = useTexts(TEXTS)
  const dayText = useDayText('full')
  return (
    <Modal
      opened={day !== null}
      onClose={onClose}
      title={day === null ? '' : dayText(day)}
      size="lg"
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <div ref={focusFirst}>{day !== null && <Items day={day} product={product} />}</div>
    </Modal>
  )
}

function Items({ day, product }: { day: string; product: string | undefined }) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const { data, error } = useRead('GET /bills/upcoming/day', {
    query: { day, ...(product !== undefined && { product }) },
  })
  if (error) return <Refusal error={error} />
  return (
    <>
      <ScrollingTable label={t.what}>
        <table>
          <caption className="only-read">{t.what}</caption>
          <thead>
            <tr>
              <th scope="col">{t.customer}</th>
              <th scope="col">{t.what}</th>
              <th scope="col">{t.kind}</th>
              <th scope="col" className="end">
                {t.amount}
              </th>
            </tr>
          </thead>
          <tbody>
            {(data?.data ?? []).map(({ kind, subscription, customer, description, amount }) => (
              <tr key={`${kind} ${subscription}`}>
                <td>
                  <AppLink to={`subscriptions/${subscription}`}>{customer ?? '–'}</AppLink>
                </td>
                <td>{description}</td>
                <td>{t[`kind_${kind}`]}</td>
                <td className="end">{amount === 0 ? '–' : money(amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollingTable>
      {data?.has_more && <p>{t.more}</p>}
    </>
  )
}
