import { Ban, CircleCheck } from 'lucide-react';
import { Badge } from './badge';

/** State of an API key: Attiva or Disattivata. */
export function ActiveBadge({ active }: { active: boolean }) {
  return active ? (
    <Badge tone="success" icon={CircleCheck}>
      Attiva
    </Badge>
  ) : (
    <Badge tone="over" icon={Ban}>
      Disattivata
    </Badge>
  );
}
