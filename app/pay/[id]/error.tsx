'use client';
import { useParams } from 'next/navigation';
import { LoadFailure } from '@/components/payment/load-failure';

export default function PayError() {
  const { id } = useParams();
  return <LoadFailure reason="broken" retryHref={`/pay/${id}`} />;
}
