package dev.leasehold.spring.rounds;

import dev.leasehold.rounds.RoundContext;
import dev.leasehold.rounds.RoundWork;
import dev.leasehold.spring.transactions.JdbcConnection;
import java.sql.Connection;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Runs work in a transaction of Spring's that counts the slot with its commit. */
final class SpringTransactions {

    private final ObjectProvider<PlatformTransactionManager> managers;

    SpringTransactions(ObjectProvider<PlatformTransactionManager> managers) {
        this.managers = managers;
    }

    /**
     * The same work, exactly once.
     *
     * @throws IllegalStateException if there is no one transaction manager
     */
    RoundWork exactlyOnce(RoundWork work) {
        PlatformTransactionManager manager = managers.getIfUnique();
        if (manager == null) {
            throw new IllegalStateException(
                    "the promise EXACTLY_ONCE needs a transaction manager on the leases' database, and"
                            + " there is none, or there are several and none is primary");
        }
        var template = new TransactionTemplate(manager);
        template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        return context -> run(template, context, work);
    }

    /** Whether that qualifier of {@code @Transactional} means the manager whose transactions count. */
    boolean isTheOne(BeanFactory beans, String qualifier) {
        return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, TransactionManager.class, qualifier)
                == managers.getIfUnique();
    }

    private static void run(TransactionTemplate template, RoundContext context, RoundWork work) throws Exception {
        try {
            template.executeWithoutResult(status -> {
                try {
                    work.run(context);
                } catch (RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new Checked(e);
                }
                context.finish(connection(status));
            });
        } catch (Checked e) {
            throw e.thrown;
        }
    }

    private static Connection connection(TransactionStatus status) {
        return JdbcConnection.of(status)
                .orElseThrow(
                        () -> new IllegalStateException(
                                "the transaction manager shows no JDBC connection, so the slot cannot be counted with its commit"));
    }

    /** Carries a checked exception through the template, which rolls back. */
    private static final class Checked extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Exception thrown;

        Checked(Exception thrown) {
            super(thrown);
            this.thrown = thrown;
        }
    }
}
