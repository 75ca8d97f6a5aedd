package dev.outbox.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.apache.kafka.common.utils.AppInfoParser;

/** The machine and the versions, without which a figure says nothing. */
final class Surroundings {

    private Surroundings() {}

    static void tell(Servers servers, Report report) {
        OutboxDatabase database = servers.createDatabase();
        OperatingSystemMXBean machine = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        report.line("date: %s", OffsetDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS));
        report.line(
                "machine: %d cores, %d GiB memory, %s %s, load %.1f before the run",
                machine.getAvailableProcessors(),
                machine.getTotalMemorySize() >> 30,
                machine.getName(),
                machine.getArch(),
                machine.getSystemLoadAverage());
        report.line(
                "jdk: %s %s, heap %d MiB",
                System.getProperty("java.vm.name"),
                Runtime.version(),
                Runtime.getRuntime().maxMemory() >> 20);
        report.line(
                "postgresql: %s, fsync=%s synchronous_commit=%s full_page_writes=%s shared_buffers=%s max_wal_size=%s",
                database.setting("server_version"),
                database.setting("fsync"),
                database.setting("synchronous_commit"),
                database.setting("full_page_writes"),
                database.setting("shared_buffers"),
                database.setting("max_wal_size"));
        report.line(
                "kafka: %s, %d broker, %d partitions",
                AppInfoParser.getVersion(), servers.broker().replicas(), Servers.PARTITIONS);
    }
}
