import { useQuery } from '@tanstack/react-query'
import { Card } from '../../kit/detail.tsx'
import { personCall } from '../../kit/person-call.ts'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'

/** The newest entries of the audit log about the person themselves, in every business. */
export function OwnAuditCard() {
  const t = useTexts(TEXTS)
  const { data } = useQuery({
    queryKey: ['own-audit'],
    queryFn: () => personCall('GET /dashboard/auth/audit', { query: { limit: 20 } }),
  })
  const columns = [t.when, t.what, t.business, t.outcome, t.address]
  return (
    <Card title={t.ownAudit}>
      {data?.data.length === 0 && <p>{t.nothingDone}</p>}
      {data && data.data.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section className="table-scroll" aria-label={t.ownAudit} tabIndex={0}>
          <table>
            <caption className="only-read">{t.ownAudit}</caption>
            <thead>
              <tr>
                {columns.map((header) => (
                  <th key={header} scope="col">
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.data.map((entry) => (
                <tr key={entry.id}>
                  <td>
                    <Instant at={entry.created_at} />
                  </td>
                  <td>
                    <code>{entry.action}</code>
                  </td>
                  <td>{entry.business.name}</td>
                  <td>{t[`outcome_${entry.outcome}`]}</td>
                  <td>{entry.ip}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  )
}
